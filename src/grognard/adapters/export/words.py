"""What the written models have in common: names that any program can read, and comments for people."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction

from grognard import __version__
from grognard.adapters.export.models import Kind, Model, State
from grognard.core.rules import Choose
from grognard.core.systems import Result, Role
from grognard.files.messages import printable
from grognard.plays.answers import format_rollers
from grognard.words.blocks import plain_text
from grognard.words.colours import Sides

OVER = "over"
"""The label of the last state of all, which every ending leads to: what is collected on the way is the value."""
LONGEST = 60
"""A fraction of more characters is told as a decimal."""


def about(model: Model) -> Iterator[str]:
    """What the model is of, and who decides in it."""
    system = model.battle.system
    yield f"grognard {__version__}, {system.title}: {printable(plain_text(Sides(model.battle).title))}"
    yield ", ".join(f"{side}: {policy}" for side, policy in model.policies.items())
    yield f"objective: {model.objective} ({system.objectives[model.objective].says})"


def answer(model: Model) -> Iterator[str]:
    """What to ask of the model, and what the answer should be."""
    yield f"{query(model)} is what the battle is worth to the attacking side: {number(model.value)}"
    if model.offset:
        yield f"rewards are raised by {model.offset}: none may be below 0, nor all be 0"


def asked(state: State) -> str:
    """What is asked in a state, and by which paragraph."""
    if state.due is None:
        return ""
    question, rule = state.due.question, state.due.position.rule
    if isinstance(question, Choose):
        return printable(f"{question.by} decides: {question.prompt} ({rule.paragraph})")
    return printable(f"{format_rollers(question)} ({rule.paragraph})")


def option_names(state: State) -> list[str]:
    """A name for each way on: the side and the option's id in plain letters; none where dice decide."""
    names: list[str] = []
    for way in state.ways:
        name = "" if state.side is None or not way.id else f"{state.side}_{_letters(way.id)}"
        alike = sum(other == name or other.startswith(f"{name}__") for other in names)
        names.append(f"{name}__{alike + 1}" if name and alike else name)
    return names


def _letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "option"


def in_json(result: Result) -> str:
    """A result as other programs read it, on one line."""
    return json.dumps(result.to_dict())


def number(value: Fraction) -> str:
    """A fraction, if that is short enough to be read, and what it is about."""
    exact = str(value)
    if value.denominator == 1:
        return exact
    return f"{exact} = {float(value):.6g}" if len(exact) <= LONGEST else f"{float(value):.12g}"


def query(model: Model) -> str:
    """The property whose value is the battle's."""
    optimum = "max" if model.kind is Kind.GAME else model.optimum
    coalition = f"<<{Role.ATTACKER}>> " if model.kind is Kind.GAME else ""
    raised = f" - {model.offset}" if model.offset else ""
    return f'{coalition}R{{"{model.objective}"}}{optimum}=? [ F "{OVER}" ]{raised}'


def in_short(model: Model) -> tuple[str, str]:
    """How large the model is, and what to ask of it with what should come out."""
    decisions = sum(state.decides is not None for state in model.states)
    counted = f"{len(model.states):,} positions, {decisions:,} decision{'' if decisions == 1 else 's'}"
    return f"{model.kind}: {counted}", f"{query(model)} = {number(model.value)}"
