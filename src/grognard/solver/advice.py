"""Advice: the decision that is due, with what every option is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from grognard.core.distributions import Probability
from grognard.core.positions import Pending
from grognard.core.rules import Choose
from grognard.core.systems import Battle, Json, Role
from grognard.plays.answers import Answer, asked
from grognard.plays.play import Play, begin
from grognard.solver.assumptions import aims
from grognard.solver.graph import POSITIONS, Decision, Progress, explore
from grognard.solver.induction import best, decide, reach
from grognard.solver.odds import Odds, odds_from, plain


@dataclass(frozen=True, slots=True)
class Advised:
    """One option: what it is worth to the attacking side, and the odds once it is taken."""

    id: str
    label: str
    value: Probability
    best: bool
    odds: Odds

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {
            "id": self.id,
            "label": self.label,
            "value": plain(self.value),
            "best": self.best,
            "outcomes": self.odds.to_dict()["outcomes"],
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """What is due: a decision with its options, the best first; or dice, or nothing, and then no options."""

    by: Role | None
    player: str | None
    prompt: str
    rule: str | None
    objective: str
    options: tuple[Advised, ...]

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {
            "by": self.by and str(self.by),
            "player": self.player,
            "prompt": self.prompt,
            "rule": self.rule,
            "objective": self.objective,
            "options": [option.to_dict() for option in self.options],
        }

    def _repr_html_(self) -> str:
        from grognard.words.pictures import table_of_advice

        return table_of_advice(self)


def advise(
    battle: Battle,
    script: Sequence[Answer] = (),
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Advice:
    """Advice on the decision that is due, at the start or after the script's answers."""
    playing = begin(battle)
    for answer in script:
        playing = playing.answer(answer)
    return advise_on(playing, attacker, defender, objective, exact, bound=bound, progress=progress)


def advise_on(
    playing: Play,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Advice:
    """Advice on what is due in a play; the options' values assume that both sides go on by their policies."""
    battle, due = playing.battle, playing.due
    chosen = aims(battle, attacker, defender, objective)
    if not isinstance(due, Pending):
        return Advice(None, None, "the battle is over", None, objective, ())
    rule = due.position.rule.paragraph
    if not isinstance(due.question, Choose):
        return Advice(None, None, asked(due.question), rule, objective, ())
    graph = explore(battle, due.position, exact, bound, progress)
    node = graph.nodes[graph.start]
    assert isinstance(node, Decision)
    values, choices = decide(graph, chosen, battle.setup, exact)
    found = best([values[child] for child in node.children], node.side)
    options = [
        Advised(
            option.id,
            option.label,
            values[child],
            number == found,
            odds_from(battle, chosen, graph, reach(graph, choices, exact, child), values),
        )
        for number, (option, child) in enumerate(zip(due.question.options, node.children, strict=True))
    ]
    sign = -1 if node.side is Role.ATTACKER else 1
    options.sort(key=lambda option: (not option.best, sign * option.value))
    return Advice(node.side, due.question.by, due.question.prompt, rule, objective, tuple(options))
