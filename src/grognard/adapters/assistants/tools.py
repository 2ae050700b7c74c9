"""What an assistant may ask: whether a battle is legal, its odds, advice, a system's rules, comparisons."""

from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from grognard.adapters.assistants.desk import Desk
from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import system_of, template
from grognard.solver.assumptions import Policy
from grognard.systems import find, names
from grognard.words import describe

Battle = Annotated[
    dict[str, Any] | str,
    Field(description="A battle: the text of a TOML battle file, or the same as JSON. `rules` has one to start from."),
]
Attacker = Annotated[Policy, Field(description="How the attacking side decides.")]
Defender = Annotated[Policy, Field(description="How the defending side decides.")]
Aim = Annotated[str, Field(description="What the attacking side wants much of: swing, kill, ground where it applies.")]
Fractions = Annotated[bool, Field(description='Exact fractions, as texts such as "7/36".')]
Most = Annotated[int, Field(ge=1, le=1_000, description="How many results to list, the likeliest first.")]
MOST = 20
SEED = 1


class Tools:
    """One method a tool; its words are what the assistant reads."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def check(self, battle: Battle) -> Json:
        """Tell whether this is a legal battle, and which switches it turns; if not, every fault with its place."""
        return await self.desk.ask("check", {"battle": await self.desk.source(battle)})

    async def odds(
        self,
        battle: Battle,
        attacker: Attacker = Policy.BEST,
        defender: Defender = Policy.BEST,
        objective: Aim = "swing",
        fractions: Fractions = False,
        most: Most = MOST,
        sample: Annotated[
            int, Field(ge=0, le=1_000_000, description="Sample so many battles instead, if exact is too large.")
        ] = 0,
    ) -> Json:
        """Work out the exact odds of every result, with both sides' decisions in them.

        `value` is the mean of the objective; `summaries` are what people ask about, with mean and standard deviation.
        """
        if sample and fractions:
            raise ToolError("a sample has no exact fractions: ask for one or the other")
        about = {**_aims(attacker, defender, objective), "battle": await self.desk.source(battle), "summaries": True}
        if sample:
            found = await self.desk.ask("simulate", {**about, "n": sample, "seed": SEED})
        else:
            found = await self.desk.ask("odds", {**about, "fractions": fractions})
        return _listed(found, "outcomes", most)

    async def advise(
        self,
        battle: Battle,
        script: Annotated[
            list[dict[str, Any]],
            Field(description='What was answered so far, in order: {"roll": [6, 4]} or {"choose": "yes"}.'),
        ] = [],  # noqa: B006
        attacker: Attacker = Policy.BEST,
        defender: Defender = Policy.BEST,
        objective: Aim = "swing",
        fractions: Fractions = False,
    ) -> Json:
        """Tell what every option of the decision that is due is worth to the attacking side, the best first.

        The decision is the first of the battle, or the one after the answers of a script. If dice are due instead, the
        prompt says which, and there are no options.
        """
        about = {**_aims(attacker, defender, objective), "battle": await self.desk.source(battle), "answers": script}
        found = await self.desk.ask("advise", {**about, "fractions": fractions, "summaries": True})
        return found | {"options": [_without(option, "outcomes") for option in found["options"]]}

    async def rules(
        self,
        system: Annotated[str | None, Field(description=f"One of {', '.join(names())}; none lists them.")] = None,
    ) -> Json:
        """Tell a system's paragraphs as they are implemented, its switches, its objectives, and a battle to start from.

        `template` is a small legal battle file with every key explained.
        """
        if system is None:
            keys = ("name", "title", "summary")
            return {"systems": [{key: getattr(find(name), key) for key in keys} for name in names()]}
        try:
            found = system_of(system)
        except BattleError as wrong:
            raise ToolError(str(wrong)) from None
        return _without(describe.system_to_dict(found), "sources") | {"template": template(found, found.example)}

    async def compare(
        self,
        battle: Battle,
        others: Annotated[list[Battle], Field(description="Battles of the same system to compare it with.")] = [],  # noqa: B006
        switch: Annotated[
            str | None, Field(description="Compare it under each value of this switch; none turns every switch.")
        ] = None,
        attacker: Attacker = Policy.BEST,
        defender: Defender = Policy.BEST,
        objective: Aim = "swing",
        fractions: Fractions = False,
        most: Most = MOST,
    ) -> Json:
        """Compare a battle with others, or under other readings of its rules; the largest change comes first."""
        if others and switch is not None:
            raise ToolError("a switch is turned in one battle, but several are given")
        battles = [await self.desk.source(one) for one in (battle, *others)]
        about = {**_aims(attacker, defender, objective), "battles": battles, "switch": switch, "fractions": fractions}
        found = await self.desk.ask("compare", about)
        if "cases" not in found:
            return found
        return _listed(found, "results", most) | {"cases": [_without(case, "outcomes") for case in found["cases"]]}


def _aims(attacker: Policy, defender: Policy, objective: str) -> Json:
    return {"attacker": str(attacker), "defender": str(defender), "objective": objective}


def _without(told: Json, key: str) -> Json:
    return {name: value for name, value in told.items() if name != key}


def _listed(told: Json, key: str, most: int) -> Json:
    """The first of a list, and how many there are."""
    return told | {key: told[key][:most], f"{key}_in_all": len(told[key])}
