"""PRISM's language: one variable that says which state it is, and a command for each way on."""

from collections.abc import Iterator
from fractions import Fraction

from grognard.adapters.export.models import Branch, Kind, Model, State
from grognard.adapters.export.words import OVER, about, answer, asked, in_json, option_names
from grognard.core.systems import Role
from grognard.files.messages import printable

MODULE = "battle"
LARGEST = 2**31 - 1
"""PRISM's largest whole number; larger ones are written with a point."""


def in_prism(model: Model) -> Iterator[str]:
    """The model as a PRISM program: dtmc, mdp, or smg with a player for each side."""
    yield from (f"// {line}" for line in (*about(model), *answer(model)))
    yield ""
    yield str(model.kind)
    yield ""
    yield from _players(model)
    yield f"module {MODULE}"
    yield f"  s : [0..{len(model.states)}] init 0;"
    for place, state in enumerate(model.states):
        yield from _commands(place, state, len(model.states))
    yield f"  [] s={len(model.states)} -> true;"
    yield "endmodule"
    yield ""
    yield f'label "{OVER}" = s={len(model.states)};'
    for count, (place, _, result) in enumerate(model.endings, 1):
        yield f'label "outcome_{count}" = s={place};  // {in_json(result)}'
    yield ""
    yield from _rewards(model)


def _players(model: Model) -> Iterator[str]:
    """Who takes which options; dice belong to the module, and somebody must have that."""
    if model.kind is not Kind.GAME:
        return
    for side in Role:
        names = {name for state in model.states if state.side is side for name in option_names(state) if name}
        listed = [*([MODULE] if side is Role.ATTACKER else []), *(f"[{name}]" for name in sorted(names))]
        yield f"player {side}"
        yield f"  {', '.join(listed)}"
        yield "endplayer"
        yield ""


def _commands(place: int, state: State, over: int) -> Iterator[str]:
    if state.result is not None:
        yield f"  [] s={place} -> (s'={over});"
        return
    yield f"  // {asked(state)}"
    for name, way in zip(option_names(state), state.ways, strict=True):
        told = f"  // {printable(way.label)}" if way.label else ""
        yield f"  [{name}] s={place} -> {' + '.join(map(_update, way.branches))};{told}"


def _update(branch: Branch) -> str:
    if branch.probability == 1:
        return f"(s'={branch.to})"
    return f"{_fraction(branch.probability)}:(s'={branch.to})"


def _fraction(chance: Fraction) -> str:
    point = ".0" if chance.denominator > LARGEST else ""
    return f"{chance.numerator}{point}/{chance.denominator}{point}"


def _rewards(model: Model) -> Iterator[str]:
    yield f'rewards "{model.objective}"'
    for place, state, _ in model.endings:
        yield f"  s={place} : {state.worth + model.offset};"
    yield "endrewards"
