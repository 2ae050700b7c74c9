"""A system in plain data: its paragraphs, its switches, its objectives, where its figures come from."""

from dataclasses import asdict, is_dataclass
from enum import Enum
from typing import Any, NamedTuple

from grognard.core.systems import Battle, Json, System
from grognard.files import SWITCHES, FieldInfo, fields_of


def switches(system: System[Any]) -> tuple[FieldInfo, ...]:
    """The switches that a battle file may turn."""
    for field in fields_of(system.setup):
        if field.name == SWITCHES and field.table is not None:
            return fields_of(field.table)
    return ()


def in_file(value: object) -> Any:
    """A value as a battle file has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
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
