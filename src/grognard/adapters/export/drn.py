"""Storm's explicit format (DRN): every state with its reward, its labels, its ways on."""

from collections.abc import Iterator

from grognard.adapters.export.models import Kind, Model, State, Way
from grognard.adapters.export.words import OVER, about, answer, asked, in_json, option_names

TYPES = {Kind.CHAIN: "DTMC", Kind.ONE_SIDE: "MDP", Kind.GAME: "MDP"}
"""The format has no players: whoever decides is told by labels."""


def in_drn(model: Model) -> Iterator[str]:
    """The model for Storm. In a state whose decision is open, the side is a label."""
    over = len(model.states)
    yield from (f"// {line}" for line in (*about(model), *_answer(model)))
    yield f"@type: {TYPES[model.kind]}"
    yield "@value_type: rational"
    yield from ("@parameters", "", "@reward_models", model.objective)
    yield from ("@nr_states", str(over + 1))
    yield from ("@nr_choices", str(sum(len(state.ways) or 1 for state in model.states) + 1))
    yield "@model"
    outcomes = 0
    for place, state in enumerate(model.states):
        outcomes += state.result is not None
        yield from _state(place, state, f"outcome_{outcomes}", model.offset)
        yield from _end(over) if state.result is not None else _ways(state)
    yield f"state {over} [0] {OVER}"
    yield from _end(over)


def _answer(model: Model) -> Iterator[str]:
    """What to ask Storm; games are beyond it."""
    yield from answer(model)
    if model.kind is Kind.GAME:
        yield "DRN knows no players, so they are labels: a reader that does not look at them decides for both sides"


def _state(place: int, state: State, outcome: str, offset: int) -> Iterator[str]:
    labels = ["init"] if place == 0 else []
    labels += [] if state.decides is None else [str(state.decides)]
    reward = 0
    if state.result is not None:
        labels.append(outcome)
        reward = state.worth + offset
    yield " ".join([f"state {place} [{reward}]", *labels])
    yield f"// {asked(state) if state.result is None else in_json(state.result)}"


def _ways(state: State) -> Iterator[str]:
    for count, (name, way) in enumerate(zip(option_names(state), state.ways, strict=True)):
        yield f"\taction {name or count} [0]"
        yield from _branches(way)


def _branches(way: Way) -> Iterator[str]:
    for branch in sorted(way.branches, key=lambda branch: branch.to):
        yield f"\t\t{branch.to} : {branch.probability}"


def _end(over: int) -> Iterator[str]:
    yield "\taction 0 [0]"
    yield f"\t\t{over} : 1"
