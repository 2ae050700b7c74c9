"""Where a number of a result lies in the odds: its percentile, for either side."""

from dataclasses import dataclass

from grognard.core.distributions import Probability
from grognard.core.numbers import zero
from grognard.core.systems import Json, Measure, Role
from grognard.solver.odds import Odds, plain


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a number of the result lies in the odds at the start: how likely less, just as much and more of it were."""

    name: str
    got: int
    less: Probability
    same: Probability
    more: Probability
    loss_of: Role | None = None
    """Whose loss it is; None for the objective, of which the attacking side wants much."""

    @property
    def percentile(self) -> Probability:
        """How much of the odds lies below, half of what is just as much counted in: 1/2 is what could be expected."""
        return self.less + self.same / 2

    def luck_of(self, side: Role) -> Probability:
        """How much of the odds is worse than this for a side, half of what is just as good counted in."""
        wants_much = (side is Role.ATTACKER) == (self.loss_of != "attacker")
        return self.percentile if wants_much else 1 - self.percentile

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {
            "name": self.name,
            "got": self.got,
            "less": plain(self.less),
            "same": plain(self.same),
            "more": plain(self.more),
            "percentile": plain(self.percentile),
            "loss_of": self.loss_of,
        }


def standing(odds: Odds, measure: Measure, got: int) -> Standing:
    """Where a number lies in the odds of its measure."""
    chances = {int(value): chance for value, chance in odds.measure(measure).items()}
    nothing = zero(odds.value)
    less = sum((chance for value, chance in chances.items() if value < got), nothing)
    more = sum((chance for value, chance in chances.items() if value > got), nothing)
    return Standing(measure.name, got, less, chances.get(got, nothing), more, measure.role)
