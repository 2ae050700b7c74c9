"""Commands about systems and battle files: systems, rules, new, examples, check, end-turn."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grognard.cli.console import check_writable, print_json, show
from grognard.cli.errors import CommandError, say_written
from grognard.cli.options import file_argument, json_option, load_battle, output_option, system_argument

if TYPE_CHECKING:
    from grognard.files.examples import Example


@json_option
def systems(as_json: bool) -> None:
    """List the games whose combat this program knows."""
    from grognard.systems import find, names

    known = [find(name) for name in names()]
    if as_json:
        keys = ("name", "title", "summary")
        print_json([{key: getattr(one, key) for key in keys} | {"objectives": [*one.objectives]} for one in known])
        return
    from grognard.words.describe import systems_page

    show(systems_page(known))


@system_argument
@click.option("--cards", is_flag=True, help="List the ready-made units.")
@click.option("--sources", is_flag=True, help="List where each figure of the game comes from.")
@json_option
def rules(system: str, cards: bool, sources: bool, as_json: bool) -> None:
    """Show a system's paragraphs and house rules.

    The paragraphs are in our own words, as they are implemented. A house rule is a choice between interpretations; a
    battle file makes it in its [rules] table.
    """
    from grognard.files import system_of
    from grognard.words import describe

    known = system_of(system)
    if as_json:
        print_json(describe.in_json(known) | ({"cards": dict(known.roster())} if cards else {}))
        return
    page = describe.cards_page if cards else describe.sources_page if sources else describe.rules_page
    show(page(known))


@system_argument
@output_option
@json_option
def new(system: str, output: str | None, as_json: bool) -> None:
    """Write a small battle to start from, with every key explained."""
    from grognard.files import replace_text, system_of, template

    known = system_of(system)
    if output is not None and Path(output).exists():
        raise CommandError(f"--output: {output} exists already")
    check_writable("--output", output)
    if as_json:
        print_json({"system": known.name, **known.example})
        return
    text = template(known, known.example)
    if output is None:
        sys.stdout.write(text)
        return
    replace_text(output, text)
    say_written(output)


@click.argument("name", required=False)
@click.option("-o", "--output", metavar="FOLDER", type=click.Path(), help="Copy them to FOLDER.")
@json_option
def examples(name: str | None, output: str | None, as_json: bool) -> None:
    """List the battles that come along, or copy them."""
    listed = _examples(name)
    if as_json:
        print_json([{"name": full, "about": one.story} for full, one in listed.items()])
    elif output is None:
        from grognard.words.describe import examples_page

        show(examples_page({full: one.story for full, one in listed.items()}))
    if output is not None:
        _copy(listed, Path(output))


def _examples(name: str | None) -> "dict[str, Example]":
    """The examples of this name, of this system, or all, by system and name."""
    from grognard.files.examples import examples as examples_of
    from grognard.files.words import unknown
    from grognard.systems import names

    every = {f"{system}/{one.name}": one for system in names() for one in examples_of(system)}
    if name is None:
        return every
    wanted = name.removesuffix(".toml")
    chosen = {
        full: one
        for full, one in every.items()
        if full.startswith(f"{wanted}/") or wanted in (full, one.name) or full.startswith(f"{wanted}-")
    }
    if not chosen:
        raise CommandError(unknown("example", name, [*names(), *every]))
    return chosen


def _copy(listed: "dict[str, Example]", folder: Path) -> None:
    """Copy example files, which may overwrite nothing."""
    from grognard.files import replace_text

    targets = {folder / f"{full.replace('/', '-')}.toml": one for full, one in listed.items()}
    there = [str(path) for path in targets if path.exists()]
    if there:
        raise CommandError(f"--output: {', '.join(there)} exists already")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"--output: {folder} cannot be made: {error.strerror}") from None
    for path, one in targets.items():
        replace_text(str(path), one.text)
        say_written(str(path))


@file_argument
@json_option
def check(file: str, as_json: bool) -> None:
    """Say whether a file is a legal battle.

    If it is not, everything that is wrong with it is listed, each fault with its line.
    """
    from grognard.words import describe

    battle = load_battle(file)
    house_rules = describe.turned(battle)
    if as_json:
        print_json({"legal": True, "system": battle.system.name, "rules": house_rules})
        return
    show(describe.battle_page(battle, file, house_rules))


@file_argument
@output_option
@click.option("--in-place", is_flag=True, help="Write the file itself anew; comments in it are lost.")
@json_option
def end_turn(file: str, output: str | None, in_place: bool, as_json: bool) -> None:
    """Clear the marks that last for a turn. The next attack need not be in the file yet."""
    from grognard.files import load_draft, to_toml, write

    if in_place and (output is not None or file == "-"):
        raise CommandError("--in-place: needs a FILE of its own, and no --output")
    system, source = load_draft(file)
    cleared = system.end_turn(source)
    target = file if in_place else output
    if target is not None:
        write(target, cleared)
        say_written(target)
    if as_json:
        print_json(cleared)
    elif target is None:
        sys.stdout.write(to_toml(cleared))
