"""Descriptions of systems and battle files: paragraphs, house rules, objectives, cards, sources."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from grognard.core.systems import Battle, Json, System
from grognard.files import SWITCHES, FieldInfo, switches
from grognard.files.fields import to_plain
from grognard.files.messages import format_value as as_written
from grognard.words.blocks import BEST, Block, Inline, Line, Span, Table, bold, muted, text_columns
from grognard.words.results import format_key, format_value


def house_rules(battle: Battle) -> Json:
    """The switches of a battle that are not at their defaults, with their values."""
    chosen = getattr(battle.setup, SWITCHES, None)
    if chosen is None:
        return {}
    values = {switch.name: to_plain(getattr(chosen, switch.name)) for switch in switches(battle.system)}
    defaults = {switch.name: to_plain(switch.default) for switch in switches(battle.system)}
    return {name: value for name, value in values.items() if value != defaults[name]}


class Explanation(NamedTuple):
    """What a rule of a paragraph does, or why the paragraph has no rule."""

    words: str
    rule: str | None = None


def chapter(system: System[Any]) -> list[tuple[str, list[Explanation]]]:
    """Every paragraph with its explanations: those without a number in the chapter's order, then by number."""
    explanations: dict[str, list[Explanation]] = {}
    for rule in system.rules:
        explanations.setdefault(rule.paragraph, []).append(Explanation(rule.description, rule.name))
    for paragraph, words in system.paragraphs.items():
        explanations.setdefault(paragraph, []).append(Explanation(words))
    headings = [paragraph.partition(": ")[0] for paragraph in explanations]
    numbers = sorted(heading for heading in headings if heading[:1].isdigit())
    order = [heading for heading in headings if heading not in numbers] + numbers
    return sorted(explanations.items(), key=lambda entry: order.index(entry[0].partition(": ")[0]))


def system_to_dict(system: System[Any]) -> Json:
    return {
        "name": system.name,
        "title": system.title,
        "summary": system.summary,
        "rules": [{"paragraph": rule.paragraph, "rule": rule.name, "says": rule.description} for rule in system.rules],
        "paragraphs": dict(system.paragraphs),
        "switches": [
            {
                "name": switch.name,
                "default": to_plain(switch.default),
                "alternatives": alternatives(switch),
                "says": switch.description,
                "paragraph": switch.paragraph,
            }
            for switch in switches(system)
        ],
        "objectives": {name: objective.description for name, objective in system.objectives.items()},
        "sources": [asdict(source) for source in system.sources()],
    }


def alternatives(switch: FieldInfo) -> list[Any]:
    """The other values of a switch."""
    return [to_plain(choice) for choice in switch.choices if choice != to_plain(switch.default)]


def systems_page(systems: Iterable[System[Any]]) -> list[Block]:
    """A row for each system."""
    rows = [(bold(system.name), (system.title, "\n", muted(system.summary))) for system in systems]
    hint = "`grognard rules SYSTEM` shows one; `grognard new SYSTEM` starts a battle file."
    return [Table(text_columns("", ""), rows), Line(muted(hint), space=True)]


def rules_page(system: System[Any]) -> list[Block]:
    """Paragraphs, house rules, objectives."""
    paragraphs: list[Block] = []
    for name, explanations in chapter(system):
        paragraphs += [
            Line(muted(name), indent=2),
            *(Line(explanation.words, indent=4) for explanation in explanations),
        ]
    house_rules = [(muted(switch.name), _about_switch(switch)) for switch in switches(system)]
    objectives = [(muted(name), objective.description) for name, objective in system.objectives.items()]
    pairs = text_columns("", "")
    return [
        Line((bold(system.title), f" ({system.name}): {system.summary}")),
        Line(bold("Paragraphs, in our words"), space=True),
        *paragraphs,
        Table(pairs, house_rules, bold("House rules, for the [rules] of a battle file")),
        Table(pairs, objectives, bold("Objectives, for --objective")),
    ]


def _about_switch(switch: FieldInfo) -> Inline:
    """What it does, its paragraph, its default and its alternatives."""
    where = muted(f" [{switch.paragraph}]" if switch.paragraph else "")
    default = (Span(as_written(to_plain(switch.default)), BEST), muted(" (as written)"))
    others = (part for other in alternatives(switch) for part in (", ", as_written(other)))
    return (switch.description, where, "\n", default, *others)


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
    """The figures of a card, from its source or from the roster."""
    known = next((figure for what, figure in figures.items() if what.endswith(f" {name}")), None)
    return known or "; ".join(f"{format_key(key)} {format_value(value)}" for key, value in card.items())


def examples_page(stories: Mapping[str, str]) -> list[Block]:
    """Every example with what it is about."""
    rows = [(bold(name), story) for name, story in stories.items()]
    hint = "`grognard examples NAME -o FOLDER` copies them; `grognard examples designs` lists designs for sweeps."
    return [Table(text_columns("", ""), rows), Line(muted(hint), space=True)]


def battle_page(battle: Battle, file: str) -> list[Block]:
    """A legal battle, and its house rules."""
    from grognard.words.summaries import header

    lines = [Line(f"{name} = {as_written(value)}") for name, value in house_rules(battle).items()]
    return [*header(battle, file, "a legal battle"), *lines]
