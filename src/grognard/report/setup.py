"""The set-up of a battle as tables that people can read, from the file's own words."""

from collections.abc import Iterator, Mapping, Sequence

from grognard.core.systems import Battle, Json
from grognard.files import SWITCHES
from grognard.files.battles import SYSTEM
from grognard.report.parts import Column, Html, joined, mark, note, section, small_table, table, tag, wide_table
from grognard.words import describe


def setup(battle: Battle) -> Html:
    """Everything that the file says, and the switches that are turned."""
    plain = {
        key: value for key, value in battle.source.items() if not isinstance(value, Mapping | list) and key != SYSTEM
    }
    tables = [_named("", plain)] if plain else []
    for key, value in battle.source.items():
        if key != SWITCHES:
            tables += _tables(battle, key, value)
    return section("Set-up", tag("div", *tables, class_="setup"), _switches(battle))


def _tables(battle: Battle, key: str, value: object) -> Iterator[Html]:
    if isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
        yield _listed(battle, key, value)
    elif isinstance(value, list):
        yield _named("", {key: value})
    elif isinstance(value, Mapping):
        yield _named(key, value)


def _listed(battle: Battle, key: str, entries: Sequence[Json]) -> Html:
    """A row for each entry, marked with its side; a column for each key that any of them has."""
    keys = list(dict.fromkeys(name for entry in entries for name in entry))
    are_numbers = [all(type(entry.get(name, 0)) is int for entry in entries) for name in keys]
    columns = [Column(_spaced(name), is_number) for name, is_number in zip(keys, are_numbers, strict=True)]
    rows = [[_marked(battle, entry, keys[0]), *(_said(entry.get(name, "")) for name in keys[1:])] for entry in entries]
    return wide_table(_spaced(key), table(columns, rows, _spaced(key)))


def _marked(battle: Battle, entry: Json, first: str) -> Html:
    owner = entry.get("player", entry.get("side"))
    parts: list[object] = [_said(entry.get(first, ""))]
    if isinstance(owner, str):
        parts.insert(0, mark(battle.system.role_of(battle.setup, owner)))
    return joined(parts, "\u00a0")


def _named(key: str, entry: Mapping[str, object]) -> Html:
    rows = [(_spaced(name), _said(value)) for name, value in entry.items()]
    return small_table([Column(""), Column("")], rows, _spaced(key))


def _switches(battle: Battle) -> Html:
    turned = describe.turned(battle)
    if not turned:
        return note("Every switch of the rules is at its default.")
    known = {switch.name: switch for switch in describe.switches(battle.system)}
    rows = [
        (name, _said(value), _said(describe.in_file(known[name].default)), known[name].says, known[name].paragraph)
        for name, value in turned.items()
    ]
    columns = [Column("switch"), Column("turned to"), Column("default"), Column("what it does"), Column("paragraph")]
    caption = "Switches that are turned"
    return wide_table(caption, table(columns, rows, caption))


def _spaced(key: str) -> str:
    return key.replace("_", " ")


def _said(value: object) -> str:
    """A value in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return "; ".join(f"{_spaced(str(key))}: {_said(part)}" for key, part in value.items())
        case list() | tuple():
            return ", ".join(_said(part) for part in value) or "–"
        case None:
            return "–"
    return str(value)
