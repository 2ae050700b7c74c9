"""Graphviz: the battle as a picture, with what is asked, by which paragraph, the odds, and what each state is worth."""

from collections.abc import Iterator
from textwrap import wrap

from grognard.adapters.export.models import Model, State
from grognard.adapters.export.words import about, asked
from grognard.files.messages import printable
from grognard.words.colours import INKS, ROLES
from grognard.words.numbers import percent, signed
from grognard.words.results import format_result, leaves, varying

WIDTH = 36
"""So many characters of what a state is about stand on one line."""


def in_dot(model: Model) -> Iterator[str]:
    """Boxes decide, ellipses roll, the rest is what comes of it. A thick line is the option that is taken."""
    yield "digraph battle {"
    yield f"  label={_text(*about(model))};"
    yield '  labelloc="t";'
    yield '  node [fontname="sans-serif", fontsize=11];'
    yield '  edge [fontname="sans-serif", fontsize=10];'
    results = {place: leaves(result.to_dict()) for place, _, result in model.endings}
    differing = varying(list(results.values())) or list(next(iter(results.values())))
    for place, state in enumerate(model.states):
        told = format_result(results[place], differing) if place in results else asked(state)
        yield f"  {place} [label={_text(*wrap(printable(told), WIDTH), signed(state.value))}, {_look(state)}];"
        yield from _edges(place, state)
    yield "}"


def _look(state: State) -> str:
    if state.result is not None:
        return f'shape=plaintext, fontcolor="{INKS["muted"]}"'
    if state.side is None:
        return "shape=ellipse"
    style = "solid" if state.decides else "dashed"
    return f'shape=box, style={style}, color="{INKS[ROLES[state.side]]}"'


def _edges(place: int, state: State) -> Iterator[str]:
    for way in state.ways:
        line = f', penwidth=2.5, color="{INKS["best"]}"' if way.taken else ""
        for branch in way.branches:
            parts = [way.label] if way.label else []
            parts += [percent(branch.probability)] if branch.probability != 1 else []
            yield f"  {place} -> {branch.to} [label={_text(*parts)}{line}];"


def _text(*lines: str) -> str:
    """Lines in quotes, as Graphviz has them."""
    quoted = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(quoted) + '"'
