"""Commands about systems and battle files: systems, rules, new, check, end-turn."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from grognard.cli.errors import Refused
from grognard.cli.options import AsJson, File, Output, SystemName
from grognard.cli.output import open_console, print_json, refuse_unwritable


def systems(as_json: AsJson = False) -> None:
    """List the games whose combat this program knows."""
    from grognard.systems import find, names

    found = [find(name) for name in names()]
    if as_json:
        keys = ("name", "title", "summary")
        listed = [
            {key: getattr(system, key) for key in keys} | {"objectives": [*system.objectives]} for system in found
        ]
        print_json(listed)
    else:
        from grognard.cli.show_systems import show_systems

        show_systems(open_console(), found)


def rules(
    system: SystemName,
    sources: Annotated[bool, typer.Option("--sources", help="List where each figure of the game comes from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a system's paragraphs and switches.

    The paragraphs are told in our own words, as they are implemented; a switch is a reading of them that a battle file
    may turn in its [rules] table.
    """
    from grognard.files import system_of
    from grognard.words import describe

    found = system_of(system)
    if as_json:
        print_json(describe.in_json(found))
        return
    from grognard.cli.show_systems import show_rules, show_sources

    (show_sources if sources else show_rules)(open_console(), found)


def new(system: SystemName, output: Output = None, as_json: AsJson = False) -> None:
    """Write a small battle to start from, with every key explained."""
    from grognard.files import replace_text, system_of, template

    found = system_of(system)
    if as_json:
        print_json({"system": found.name, **found.example})
        return
    text = template(found, found.example)
    if output is None:
        sys.stdout.write(text)
        return
    if Path(output).exists():
        raise Refused(f"--output: {output} is there already")
    refuse_unwritable("--output", output)
    replace_text(output, text)


def check(file: File, as_json: AsJson = False) -> None:
    """Tell whether a file is a legal battle.

    If it is not, everything that is wrong with it is listed, each fault with its line.
    """
    from grognard.files import load
    from grognard.words import describe

    battle = load(file)
    turned = describe.turned(battle)
    if as_json:
        print_json({"legal": True, "system": battle.system.name, "rules": turned})
        return
    from grognard.cli.show_systems import show_checked

    show_checked(open_console(), battle, file, turned)


def end_turn(
    file: File,
    output: Output = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the file itself anew; comments in it are lost.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Clear the marks that last for a turn. The next attack need not be in the file yet."""
    from grognard.files import load_draft, to_toml, write

    if in_place and (output is not None or file == "-"):
        raise Refused("--in-place: needs a FILE of its own, and no --output")
    system, source = load_draft(file)
    cleared = system.end_turn(source)
    target = file if in_place else output
    if target is not None:
        write(target, cleared)
    if as_json:
        print_json(cleared)
    elif target is None:
        sys.stdout.write(to_toml(cleared))
