"""Systems and battle files, described: paragraphs, house rules, objectives, cards, sources."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from enum import Enum
from typing import Any, NamedTuple

from grognard.core.systems import Battle, Json, System
from grognard.files import SWITCHES, FieldInfo, fields_of
from grognard.files.messages import format_value as as_written
from grognard.words.blocks import BEST, Block, Inline, Line, Span, Table, bold, joined, muted, text_columns
from grognard.words.results import format_value, spaced


def switches(system: System[Any]) -> tuple[FieldInfo, ...]:
    """The switches that a battle file may turn."""
    for field in fields_of(system.setup):
        if field.name == SWITCHES and field.table is not None:
            return fields_of(field.table)
    return ()


def in_file(value: object) -> Any:
    """A value as a battle file has it."""
    return value.value if isinstance(value, Enum) else value


def turned(battle: Battle) -> Json:
    """The switches that are not at their default, with what they are turned to."""
    chosen = getattr(battle.setup, SWITCHES, None)
    if chosen is None:
        return {}
    values = {switch.name: in_file(getattr(chosen, switch.name)) for switch in switches(battle.system)}
    defaults = {switch.name: in_file(switch.default) for switch in switches(battle.system)}
    return {name: value for name, value in values.items() if value != defaults[name]}


class Said(NamedTuple):
    """What is said of a paragraph: what a rule does, or why no rule stands for it."""

    words: str
    rule: str | None = None


def chapter(system: System[Any]) -> list[tuple[str, list[Said]]]:
    """Every paragraph with what is said of it: by number, or as the chapter has them where some have none."""
    said: dict[str, list[Said]] = {}
    for rule in system.rules:
        said.setdefault(rule.paragraph, []).append(Said(rule.says, rule.name))
    for paragraph, words in system.paragraphs.items():
        said.setdefault(paragraph, []).append(Said(words))
    numbered = all(paragraph[:1].isdigit() for paragraph in said)
    return sorted(said.items()) if numbered else list(said.items())


def in_json(system: System[Any]) -> Json:
    """All of it, as other programs read it."""
    return {
        "name": system.name,
        "title": system.title,
        "summary": system.summary,
        "rules": [{"paragraph": rule.paragraph, "rule": rule.name, "says": rule.says} for rule in system.rules],
        "paragraphs": dict(system.paragraphs),
        "switches": [
            {
                "name": switch.name,
                "default": in_file(switch.default),
                "alternatives": alternatives(switch),
                "says": switch.says,
                "paragraph": switch.paragraph,
            }
            for switch in switches(system)
        ],
        "objectives": {name: objective.says for name, objective in system.objectives.items()},
        "sources": [asdict(source) for source in system.sources()],
    }


def alternatives(switch: FieldInfo) -> list[Any]:
    """What a switch can be turned to."""
    return [in_file(choice) for choice in switch.choices if choice != in_file(switch.default)]


def systems_page(systems: Iterable[System[Any]]) -> list[Block]:
    """One row a system."""
    rows = [(bold(system.name), (system.title, "\n", muted(system.summary))) for system in systems]
    hint = "`grognard rules SYSTEM` shows one; `grognard new SYSTEM` starts a battle file."
    return [Table(text_columns("", ""), rows), Line(muted(hint), space=True)]


def rules_page(system: System[Any]) -> list[Block]:
    """Paragraphs, house rules, objectives."""
    paragraphs = [(muted(name), joined([said.words for said in lines], "\n")) for name, lines in chapter(system)]
    house_rules = [(muted(switch.name), _about_switch(switch)) for switch in switches(system)]
    objectives = [(muted(name), objective.says) for name, objective in system.objectives.items()]
    pairs = text_columns("", "")
    return [
        Line((bold(system.title), f" ({system.name}): {system.summary}")),
        Table(pairs, paragraphs, bold("Paragraphs, in our words")),
        Table(pairs, house_rules, bold("House rules, for the [rules] of a battle file")),
        Table(pairs, objectives, bold("Objectives, for --objective")),
    ]


def _about_switch(switch: FieldInfo) -> Inline:
    """What it does, its paragraph, its default and its alternatives."""
    where = muted(f" [{switch.paragraph}]" if switch.paragraph else "")
    default = (Span(as_written(in_file(switch.default)), BEST), muted(" (as written)"))
    others = (part for other in alternatives(switch) for part in (", ", as_written(other)))
    return (switch.says, where, "\n", default, *others)


def sources_page(system: System[Any]) -> list[Block]:
    """Every figure with its mark."""
    sources = [(source.what, source.figure, muted(source.mark)) for source in system.sources()]
    if not sources:
        return [Line(f"{system.title}: all figures are in its chapter.")]
    return [Table(text_columns("what", "figure", "mark"), sources)]


def cards_page(system: System[Any]) -> list[Block]:
    """Every ready-made unit with its figures."""
    figures = {source.what: source.figure for source in system.sources()}
    cards = [(bold(name), _figures(name, card, figures)) for name, card in system.roster().items()]
    if not cards:
        return [Line(f"{system.title}: there are no ready-made units; every battle file writes its own.")]
    return [Table(text_columns("card", "figures"), cards)]


def _figures(name: str, card: Json, figures: Mapping[str, str]) -> str:
    """What a card says: as its source has it, or as a battle file would write it."""
    known = next((figure for what, figure in figures.items() if what.endswith(f" {name}")), None)
    return known or "; ".join(f"{spaced(key)} {format_value(value)}" for key, value in card.items())


def examples_page(stories: Mapping[str, str]) -> list[Block]:
    """Every example with what it is about."""
    rows = [(bold(name), story) for name, story in stories.items()]
    hint = "`grognard examples NAME -o FOLDER` copies them."
    return [Table(text_columns("", ""), rows), Line(muted(hint), space=True)]


def battle_page(battle: Battle, file: str, house_rules: Json) -> list[Block]:
    """A legal battle, and its house rules."""
    from grognard.words.summaries import header

    lines = [Line(f"{name} = {as_written(value)}") for name, value in house_rules.items()]
    return [*header(battle, file, "a legal battle"), *lines]
