"""Models as text: PRISM's language, Storm's explicit format (DRN), Graphviz."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from textwrap import wrap

from grognard import __version__
from grognard.adapters.export.models import Action, Branch, Kind, Model, State
from grognard.core.rules import Choose
from grognard.core.systems import Role
from grognard.files.messages import printable
from grognard.plays.answers import format_rollers
from grognard.solver.graph import Ending
from grognard.words.blocks import plain_text
from grognard.words.colours import INKS, ROLES, Sides
from grognard.words.numbers import count, percent, signed
from grognard.words.results import format_result, leaves, varying_places

OVER = "over"
"""The label of the final state that every ending leads to: the rewards collected before it are the value."""
MODULE = "battle"
LARGEST = 2**31 - 1
"""PRISM's largest whole number; larger ones are written with a point."""
LONGEST = 60
"""A fraction of more characters is written as a decimal."""
WIDTH = 36
"""The most characters of a state's text on one line of a picture."""
DRN_TYPES = {Kind.CHAIN: "DTMC", Kind.ONE_SIDE: "MDP", Kind.GAME: "MDP"}
"""The format has no players: labels say who decides."""


def describe_model(model: Model) -> Iterator[str]:
    """The battle of the model, the policies, and the objective."""
    system = model.battle.system
    yield f"grognard {__version__}, {system.title}: {printable(plain_text(Sides(model.battle).title))}"
    yield ", ".join(f"{role}: {policy}" for role, policy in model.policies.items())
    yield f"objective: {model.objective} ({system.objectives[model.objective].description})"


def describe_value(model: Model) -> Iterator[str]:
    """The property that a model checker should compute, and its expected value."""
    yield f"{query(model)} is the value of the battle to the attacker: {format_number(model.value)}"
    if model.offset:
        yield f"rewards are raised by {model.offset}: none may be below 0, nor all be 0"
    if model.has_cycles and model.kind is Kind.GAME:
        yield "the model has cycles: the value is that of play that ends"


def query(model: Model) -> str:
    """The property whose value is the battle's."""
    optimum = "max" if model.kind is Kind.GAME else model.optimum
    coalition = f"<<{Role.ATTACKER}>> " if model.kind is Kind.GAME else ""
    raised = f" - {model.offset}" if model.offset else ""
    return f'{coalition}R{{"{model.objective}"}}{optimum}=? [ {model.path} ]{raised}'


def summarise_model(model: Model) -> tuple[str, str]:
    """The kind and size of the model, and the property to compute with its value."""
    decisions = count(sum(state.decides is not None for state in model.states), "decision")
    return (
        f"{model.kind}: {count(len(model.states), 'position')}, {decisions}",
        f"{query(model)} = {format_number(model.value)}",
    )


def format_number(value: Fraction) -> str:
    """A fraction, unless it is too long, with its decimal value."""
    text = str(value)
    if value.denominator == 1:
        return text
    return f"{text} = {float(value):.6g}" if len(text) <= LONGEST else f"{float(value):.12g}"


def format_state(state: State) -> str:
    """The question of a state with its paragraph, or its result in JSON."""
    if isinstance(state.node, Ending):
        return json.dumps(state.node.result.to_dict())
    question, paragraph = state.node.question, state.node.position.rule.paragraph
    if isinstance(question, Choose):
        return printable(f"{question.by} decides: {question.prompt} ({paragraph})")
    return printable(f"{format_rollers(question)} ({paragraph})")


def option_names(state: State) -> list[str]:
    """A name for each action: the role and the option's id in plain letters; empty if dice decide."""
    names: list[str] = []
    for action in state.actions:
        letters = re.sub(r"[^A-Za-z0-9]+", "_", action.id).strip("_") or "option"
        name = "" if state.role is None or not action.id else f"{state.role}_{letters}"
        alike = sum(other == name or other.startswith(f"{name}__") for other in names)
        names.append(f"{name}__{alike + 1}" if name and alike else name)
    return names


def to_prism(model: Model) -> Iterator[str]:
    """A PRISM program: one variable for the state, and a command for each action."""
    yield from (f"// {line}" for line in (*describe_model(model), *describe_value(model)))
    yield ""
    yield str(model.kind)
    yield ""
    yield from _prism_players(model)
    yield f"module {MODULE}"
    yield f"  s : [0..{len(model.states)}] init 0;"
    for number, state in enumerate(model.states):
        yield from _prism_commands(number, state, len(model.states))
    yield f"  [] s={len(model.states)} -> true;"
    yield "endmodule"
    yield ""
    yield f'label "{OVER}" = s={len(model.states)};'
    for outcome, (number, state, _) in enumerate(model.endings, 1):
        yield f'label "outcome_{outcome}" = s={number};  // {format_state(state)}'
    yield ""
    yield f'rewards "{model.objective}"'
    for number, state, _ in model.endings:
        yield f"  s={number} : {state.reward + model.offset};"
    yield "endrewards"


def _prism_players(model: Model) -> Iterator[str]:
    """Who takes which options. Rolls belong to the module, which must belong to a player."""
    if model.kind is not Kind.GAME:
        return
    for role in Role:
        names = {name for state in model.states if state.role is role for name in option_names(state) if name}
        listed = [*([MODULE] if role is Role.ATTACKER else []), *(f"[{name}]" for name in sorted(names))]
        yield f"player {role}"
        yield f"  {', '.join(listed)}"
        yield "endplayer"
        yield ""


def _prism_commands(number: int, state: State, over: int) -> Iterator[str]:
    if state.result is not None:
        yield f"  [] s={number} -> (s'={over});"
        return
    yield f"  // {format_state(state)}"
    for name, action in zip(option_names(state), state.actions, strict=True):
        comment = f"  // {printable(action.label)}" if action.label else ""
        yield f"  [{name}] s={number} -> {' + '.join(map(_prism_update, action.branches))};{comment}"


def _prism_update(branch: Branch) -> str:
    if branch.probability == 1:
        return f"(s'={branch.to})"
    point = ".0" if branch.probability.denominator > LARGEST else ""
    return f"{branch.probability.numerator}{point}/{branch.probability.denominator}{point}:(s'={branch.to})"


def to_drn(model: Model) -> Iterator[str]:
    """The explicit format of Storm: every state with its reward, its labels and its actions on."""
    over = len(model.states)
    yield from (f"// {line}" for line in (*describe_model(model), *describe_value(model)))
    if model.kind is Kind.GAME:
        yield "// DRN knows no players, so they are labels: a reader that does not look at them decides for both sides"
    yield f"@type: {DRN_TYPES[model.kind]}"
    yield "@value_type: rational"
    yield from ("@parameters", "", "@reward_models", model.objective)
    yield from ("@nr_states", str(over + 1))
    yield from ("@nr_choices", str(sum(len(state.actions) or 1 for state in model.states) + 1))
    yield "@model"
    outcomes = {number: f"outcome_{outcome}" for outcome, (number, _, _) in enumerate(model.endings, 1)}
    for number, state in enumerate(model.states):
        labels = ["init"] if number == 0 else []
        labels += [str(state.decides)] if state.decides else []
        labels += [outcomes[number]] if number in outcomes else []
        reward = state.reward + model.offset if number in outcomes else 0
        yield " ".join([f"state {number} [{reward}]", *labels])
        yield f"// {format_state(state)}"
        yield from _drn_actions(state, over)
    yield f"state {over} [0] {OVER}"
    yield from ("\taction 0 [0]", f"\t\t{over} : 1")


def _drn_actions(state: State, over: int) -> Iterator[str]:
    actions = state.actions or (Action((Branch(Fraction(1), over),)),)
    for number, (name, action) in enumerate(zip(option_names(state) or [""], actions, strict=True)):
        yield f"\taction {name or number} [0]"
        for branch in sorted(action.branches, key=lambda branch: branch.to):
            yield f"\t\t{branch.to} : {branch.probability}"


def to_dot(model: Model) -> Iterator[str]:
    """A graph for Graphviz: boxes are decisions, ellipses rolls. A thick line is the option that is taken."""
    yield "digraph battle {"
    yield f"  label={_dot_text(*describe_model(model))};"
    yield '  labelloc="t";'
    yield '  node [fontname="sans-serif", fontsize=11];'
    yield '  edge [fontname="sans-serif", fontsize=10];'
    results = {number: leaves(result.to_dict()) for number, _, result in model.endings}
    differing = varying_places(list(results.values())) or list(next(iter(results.values())))
    for number, state in enumerate(model.states):
        text = format_result(results[number], differing) if number in results else format_state(state)
        lines = [*wrap(printable(text), WIDTH), signed(state.value)]
        yield f"  {number} [label={_dot_text(*lines)}, {_dot_style(state)}];"
        yield from _dot_edges(number, state)
    yield "}"


def _dot_style(state: State) -> str:
    if state.result is not None:
        return f'shape=plaintext, fontcolor="{INKS["muted"]}"'
    if state.role is None:
        return "shape=ellipse"
    style = "solid" if state.decides else "dashed"
    return f'shape=box, style={style}, color="{INKS[ROLES[state.role]]}"'


def _dot_edges(number: int, state: State) -> Iterator[str]:
    for action in state.actions:
        line = f', penwidth=2.5, color="{INKS["best"]}"' if action.is_taken else ""
        for branch in action.branches:
            parts = [action.label] if action.label else []
            parts += [percent(branch.probability)] if branch.probability != 1 else []
            yield f"  {number} -> {branch.to} [label={_dot_text(*parts)}{line}];"


def _dot_text(*lines: str) -> str:
    """Lines in quotes, as Graphviz has them."""
    escaped = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


FORMATS: dict[str, Callable[[Model], Iterable[str]]] = {"prism": to_prism, "drn": to_drn, "dot": to_dot}
"""The functions that write a model line by line."""
