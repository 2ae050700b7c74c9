"""Luck: what the dice gave in a battle that was played, and what the decisions lost.

Every position has a value: what the attacking side can expect from there on. A roll changes it by luck, a decision by
being another than the yardstick's. Added up, the changes lead from the value at the start to the result.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter

from grognard.core.distributions import Probability
from grognard.core.errors import WrongAnswer
from grognard.core.numbers import size, zero
from grognard.core.positions import Pending, Position, advance_to_question
from grognard.core.readings import Face, Faces
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Battle, Json, Measure, Result, Role
from grognard.plays.answers import Chosen, Rolled, asked, faces_of
from grognard.plays.play import Play, begin
from grognard.solver.assumptions import Aims, aims
from grognard.solver.graph import POSITIONS, Graph, Progress, Walk, children_of
from grognard.solver.induction import best, decide, reach
from grognard.solver.odds import Odds, odds_from, plain
from grognard.solver.percentiles import Standing, standing


@dataclass(frozen=True, slots=True)
class Thrown:
    """One die, and how much better it fell for the attacking side than if it alone were thrown again."""

    by: str
    die: str
    face: Face
    gained: Probability

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {"by": self.by, "die": self.die, "face": self.face, "gained": plain(self.gained)}


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll: the value before and after it, and its dice."""

    rule: str
    before: Probability
    after: Probability
    dice: tuple[Thrown, ...]

    @property
    def gained(self) -> Probability:
        """What the attacking side gained by luck."""
        return self.after - self.before

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {
            "kind": "roll",
            "rule": self.rule,
            "before": plain(self.before),
            "after": plain(self.after),
            "gained": plain(self.gained),
            "dice": [die.to_dict() for die in self.dice],
        }


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision: the value before and after it, the option taken and the best there was."""

    rule: str
    by: str
    side: Role
    prompt: str
    taken: str
    best: str
    before: Probability
    after: Probability
    lost: Probability
    """What the side that decided lost by not taking the best: never below 0."""

    @property
    def gained(self) -> Probability:
        """What the attacking side gained against what the yardstick would have done here."""
        return self.after - self.before

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {
            "kind": "choice",
            "rule": self.rule,
            "by": self.by,
            "side": str(self.side),
            "prompt": self.prompt,
            "choose": self.taken,
            "best": self.best,
            "before": plain(self.before),
            "after": plain(self.after),
            "gained": plain(self.gained),
            "lost": plain(self.lost),
        }


Step = Throw | Decided


@dataclass(frozen=True, slots=True)
class Luck:
    """A battle that was played, held against the yardstick: two policies and an objective."""

    odds: Odds
    """Those that held at the start."""
    result: Result
    start: Probability
    steps: tuple[Step, ...]

    @property
    def worth(self) -> int:
        """What the result is worth to the attacking side."""
        return self.odds.aims.objective.of(self.odds.battle.setup, self.result)

    @property
    def rolled(self) -> Probability:
        """What the attacking side gained by luck, all rolls together."""
        return sum((step.gained for step in self.steps if isinstance(step, Throw)), self._zero)

    @property
    def decided(self) -> Probability:
        """What it gained by decisions: the defending side's mistakes, less its own."""
        return sum((step.gained for step in self.steps if isinstance(step, Decided)), self._zero)

    def lost_by(self, side: Role) -> Probability:
        """What a side lost by not taking the best, all its decisions together."""
        lost = (step.lost for step in self.steps if isinstance(step, Decided) and step.side is side)
        return sum(lost, self._zero)

    @property
    def _zero(self) -> Probability:
        return zero(self.start)

    @property
    def standings(self) -> list[Standing]:
        """Where the result lies in the odds: by the objective, then by what each side lost."""
        battle = self.odds.battle
        objective = Measure(self.odds.objective, lambda result: self.odds.aims.objective.of(battle.setup, result))
        losses = [measure for measure in battle.system.measures(battle.setup) if measure.role]
        return [
            standing(self.odds, measure, got)
            for measure in (objective, *losses)
            if type(got := measure.of(self.result)) is int
        ]

    @property
    def chance(self) -> Probability:
        """How likely this very result was."""
        return self.odds.probability(lambda other: other == self.result)

    def to_dict(self) -> Json:
        """As other programs read it; every number is the attacking side's."""
        told = self.odds.to_dict()
        return {
            **{key: told[key] for key in ("system", "exact", "objective", "policies")},
            "result": self.result.to_dict(),
            "chance": plain(self.chance),
            "start": plain(self.start),
            "luck": plain(self.rolled),
            "decisions": plain(self.decided),
            "worth": self.worth,
            "sides": {
                str(side): {
                    "luck": plain(self.rolled if side is Role.ATTACKER else -self.rolled),
                    "lost": plain(self.lost_by(side)),
                    "percentiles": {place.name: plain(place.luck_of(side)) for place in self.standings},
                }
                for side in Role
            },
            "standings": [place.to_dict() for place in self.standings],
            "steps": [step.to_dict() for step in self.steps],
        }

    def _repr_html_(self) -> str:
        from grognard.words.pictures import table_of_luck

        return table_of_luck(self)


class _Values:
    """What every position of a battle is worth; the battle is explored once."""

    def __init__(self, battle: Battle, chosen: Aims, exact: bool, bound: int, progress: Progress | None) -> None:
        walk = Walk(battle, exact, bound, progress)
        self.battle = battle
        self.graph = _with_every_place(walk.run(battle.start()))
        self.places = walk.places
        self.worth, choices = decide(self.graph, chosen, battle.setup, exact)
        self.odds = odds_from(battle, chosen, self.graph, reach(self.graph, choices, exact), self.worth)

    @property
    def start(self) -> Probability:
        """The value before anything is rolled or decided."""
        return self.worth[self.graph.start]

    def of(self, position: Position) -> Probability:
        """The value of a position, whether or not a question is due at it."""
        reached = advance_to_question(self.battle.setup, position, self.places)
        key: Hashable = reached
        if isinstance(reached, End):
            key = self.battle.system.result(self.battle.setup, reached.state)
        elif isinstance(reached, Pending):
            key = self.battle.system.relevant_position(self.battle.setup, reached.position)
        return self.worth[self.places[key]]


def _with_every_place(graph: Graph) -> Graph:
    """A graph that was rid of its circles passes some places by, where a play may still have come."""
    if len(graph.order) == len(graph.nodes):
        return graph
    towards = {place: children_of(node) for place, node in enumerate(graph.nodes)}
    return graph._replace(order=list(TopologicalSorter(towards).static_order())[::-1])


def luck(
    played: Play,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Luck:
    """Hold a battle that is over against the yardstick of two policies and an objective."""
    if played.question is not None:
        raise WrongAnswer(f"the battle is not over: {asked(played.question)}")
    chosen = aims(played.battle, attacker, defender, objective)
    values = _Values(played.battle, chosen, exact, bound, progress)
    return Luck(values.odds, played.result, values.start, tuple(_steps(played, values)))


def _steps(played: Play, values: _Values) -> Iterator[Step]:
    again = begin(played.battle)
    for move in played.moves:
        due = again.due
        assert isinstance(due, Pending)
        if isinstance(due.question, Roll) and isinstance(move.answer, Rolled):
            yield _throw(due.position, due.question, move.answer, values)
        elif isinstance(due.question, Choose) and isinstance(move.answer, Chosen):
            yield _decision(due.position, due.question, move.answer, values)
        again = again.answer(move.answer)


def _decision(position: Position, question: Choose, answer: Chosen, values: _Values) -> Decided:
    side = values.battle.system.role_of(values.battle.setup, question.by)
    options = [values.of(position.answered(option.id)) for option in question.options]
    taken = [option.id for option in question.options].index(answer.option)
    found = best(options, side)
    return Decided(
        rule=position.rule.paragraph,
        by=question.by,
        side=side,
        prompt=question.prompt,
        taken=question.options[taken].id,
        best=question.options[found].id,
        before=values.of(position),
        after=options[taken],
        lost=size(options[found] - options[taken]),
    )


def _throw(position: Position, question: Roll, answer: Rolled, values: _Values) -> Throw:
    reading = question.reading
    known: dict[Hashable, Probability] = {}

    def worth(faces: Faces) -> Probability:
        read = reading.read(faces)
        if read not in known:
            known[read] = values.of(position.answered(read))
        return known[read]

    faces = faces_of(question, answer)
    after = worth(faces)
    by = [str(one) for one in question.by] or [""] * len(faces)
    dice = []
    for hand, (name, pool, shown) in enumerate(zip(by, reading.dice, faces, strict=True)):
        for place, face in enumerate(shown):
            again = [worth(_replaced(faces, hand, place, other)) for other in pool.die.faces]
            dice.append(Thrown(name, pool.die.name, face, after - sum(again) / len(again)))
    return Throw(position.rule.paragraph, values.of(position), after, tuple(dice))


def _replaced(faces: Faces, hand: int, place: int, face: Face) -> Faces:
    """The roll with one die showing something else."""
    shown = faces[hand]
    return (*faces[:hand], (*shown[:place], face, *shown[place + 1 :]), *faces[hand + 1 :])
