"""A battle as game frameworks see it: numbered positions, numbered actions, dice with their odds."""

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import accumulate

import numpy as np

from grognard.adapters.survey import Survey
from grognard.core.positions import Pending
from grognard.core.rules import Choose
from grognard.core.systems import Battle, Role
from grognard.plays.answers import asked
from grognard.solver.assumptions import aims
from grognard.solver.graph import POSITIONS, Chance, Decision, Ending, children_of
from grognard.solver.induction import decide, reach

PLAYERS = (Role.ATTACKER, Role.DEFENDER)
"""In the order in which frameworks number them."""

Policy = Callable[[Pending], str]
"""Decides on what is due: the id of the option taken."""


class Arena:
    """All places of a battle from 0 on, where each action leads, and who acts.

    An action of a player is an option; it has the same number wherever an option of that id is offered. A roll has an
    outcome for each value that its reading tells apart. Rolls that can come round are solved: they lead straight out
    of their circle, so that every play ends, and the longest is known.
    """

    def __init__(self, battle: Battle, bound: int = POSITIONS) -> None:
        survey = Survey(battle, bound)
        self.battle, self.graph = battle, survey.run(battle.start())
        self.dues = survey.dues
        """What is asked at every place that is no ending."""
        self.ways = [survey.ways.get(place, ()) for place in range(len(self.graph.nodes))]
        """The answers at every place: the options, or what can be read of the dice with its odds."""
        offered = (way.name for place in self.graph.order if self.player(place) for way in self.ways[place])
        self.options = tuple(dict.fromkeys(offered))
        """The ids of all options that are ever offered, in the order of their actions."""
        self._summed: dict[int, list[float]] = {}

    def player(self, place: int) -> Role | None:
        """The side that decides here; nobody does where dice are due, nor at the end."""
        node = self.graph.nodes[place]
        return node.side if isinstance(node, Decision) else None

    def is_over(self, place: int) -> bool:
        """Whether the battle has ended here."""
        return isinstance(self.graph.nodes[place], Ending)

    def is_roll(self, place: int) -> bool:
        """Whether dice are due here."""
        return isinstance(self.graph.nodes[place], Chance)

    @cached_property
    def actions(self) -> list[dict[int, int]]:
        """The actions that can be taken at each place, in order, and where they lead; of rolls, the outcomes."""
        numbers = {name: action for action, name in enumerate(self.options)}
        return [
            dict(sorted((numbers[way.name], way.child) for way in ways))
            if self.player(place)
            else {outcome: way.child for outcome, way in enumerate(ways)}
            for place, ways in enumerate(self.ways)
        ]

    def action(self, place: int, name: str) -> int:
        """The action that takes the option of this id; one that is not offered is refused."""
        question = self.dues[place].question
        assert isinstance(question, Choose)
        return self.options.index(question.pick(name).id)

    def describe(self, place: int) -> str:
        """A place in a line: its number, and what is asked there or how the battle ended."""
        node = self.graph.nodes[place]
        if isinstance(node, Ending):
            return f"{place}: over, {json.dumps(node.result.to_dict(), ensure_ascii=False)}"
        return f"{place}: {asked(self.dues[place].question)}"

    def worth(self, place: int, objective: str) -> float:
        """What an ending is worth to the attacking side; the defending side loses as much."""
        node = self.graph.nodes[place]
        assert isinstance(node, Ending)
        return float(self.battle.system.objectives[objective].of(self.battle.setup, node.result))

    def most(self, objective: str) -> float:
        """The most that either side can win or lose."""
        return max(abs(self.worth(place, objective)) for place, _ in self.graph.endings)

    def longest(self, kind: type[Chance] | type[Decision]) -> int:
        """How many decisions, or rolls, there are in the play that has most of them."""
        lengths = [0] * len(self.graph.nodes)
        for place in reversed(self.graph.order):
            node = self.graph.nodes[place]
            lengths[place] = isinstance(node, kind) + max((lengths[child] for child in children_of(node)), default=0)
        return lengths[self.graph.start]

    def roll(self, place: int, random: np.random.Generator) -> int:
        """Roll the dice that are due here, if any, and those due after them; where they lead."""
        while self.is_roll(place):
            outcome = bisect_right(self._sums(place), random.random())
            place = self.ways[place][outcome].child
        return place

    def _sums(self, place: int) -> list[float]:
        """The chances of a roll's outcomes but the last, added up."""
        known = self._summed.get(place)
        if known is None:
            known = self._summed[place] = list(accumulate(way.chance for way in self.ways[place]))[:-1]
        return known

    def policy(self, side: str, name: str, objective: str = "swing") -> dict[int, int]:
        """The actions that a policy takes for a side; at places not listed it decides at random.

        `best` plays best against a side that does so too.
        """
        others = {str(player): "best" for player in PLAYERS} | {side: name}
        chosen = aims(self.battle, objective=objective, **others)
        _, choices = decide(self.graph, chosen, self.battle.setup, exact=False)
        return {
            place: self.options.index(self.ways[place][option].name)
            for place, option in choices.items()
            if self.player(place) == side
        }

    def value(self, actions: Mapping[int, int], objective: str = "swing") -> float:
        """What the battle is worth if these actions are taken, exactly; at places not listed any is as likely."""
        choices = {
            place: [way.name for way in self.ways[place]].index(self.options[action])
            for place, action in actions.items()
        }
        chances = reach(self.graph, choices, exact=False)
        return sum(float(chances[place]) * self.worth(place, objective) for place, _ in self.graph.endings)
