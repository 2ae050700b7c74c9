"""Commands about systems and battle files: systems, rules, new, examples, check, end-turn."""

import json
import sys
from pathlib import Path

import click

from grognard.cli.console import check_writable, print_json, show
from grognard.cli.errors import CommandError, report_written
from grognard.cli.options import command, file_argument, json_option, output_option, system_argument
from grognard.core.errors import suggest
from grognard.files import load, load_draft, replace_text, system_of, template, to_toml, write
from grognard.files import schema as schema_of
from grognard.files.examples import DESIGNS, Example, designs
from grognard.files.examples import examples as examples_of
from grognard.systems import find, names
from grognard.words import describe


@command("grognard systems", "grognard systems --json")
@json_option
def systems(as_json: bool) -> None:
    """List the games whose combat this program resolves."""
    known = [find(name) for name in names()]
    if as_json:
        keys = ("name", "title", "summary")
        print_json(
            [{key: getattr(system, key) for key in keys} | {"objectives": [*system.objectives]} for system in known]
        )
    else:
        show(describe.systems_page(known))


@command("grognard rules SYSTEM", "grognard rules SYSTEM --cards", "grognard rules SYSTEM --sources")
@system_argument
@click.option("--cards", is_flag=True, help="List the ready-made units.")
@click.option("--sources", is_flag=True, help="List where each figure of the game comes from.")
@json_option
def rules(system: str, cards: bool, sources: bool, as_json: bool) -> None:
    """Show a system's paragraphs and house rules.

    The paragraphs are in our own words, as they are implemented. A house rule is a choice between interpretations; it
    is set in the [rules] table of a battle file.
    """
    known = system_of(system)
    if as_json:
        print_json(describe.system_to_dict(known) | ({"cards": dict(known.roster())} if cards else {}))
        return
    page = describe.cards_page if cards else describe.sources_page if sources else describe.rules_page
    show(page(known))


@command("grognard new SYSTEM > battle.toml", "grognard new SYSTEM -o battle.toml")
@system_argument
@output_option
@json_option
def new(system: str, output: str | None, as_json: bool) -> None:
    """Write a small battle to start from, with every key explained."""
    known = system_of(system)
    if as_json:
        print_json({"system": known.name, **known.example})
        return
    text = template(known, known.example)
    if output is None:
        sys.stdout.write(text)
        return
    if Path(output).exists():
        raise CommandError(f"--output: {output} exists already")
    check_writable("--output", output)
    replace_text(output, text)
    report_written(output)


@command(
    "grognard examples",
    "grognard examples SYSTEM",
    "grognard examples SYSTEM -o battles",
    "grognard examples designs",
    Arguments={"NAME": "a system, designs, or an example by its name or number, such as SYSTEM/01"},
)
@click.argument("name", required=False)
@click.option("-o", "--output", metavar="FOLDER", help="Copy them to FOLDER.")
@json_option
def examples(name: str | None, output: str | None, as_json: bool) -> None:
    """List the example battles, or copy them.

    `grognard examples designs` does the same with the designs for sweeps.
    """
    listed = find_examples(name)
    if as_json:
        print_json([{"name": full, "about": example.story} for full, example in listed.items()])
    elif output is None:
        show(describe.examples_page({full: example.story for full, example in listed.items()}))
    if output is not None:
        copy_examples(listed if name else {**listed, **all_designs()}, Path(output))


def all_battles() -> dict[str, Example]:
    """Every example battle by system and name."""
    return {f"{system}/{example.name}": example for system in names() for example in examples_of(system)}


def all_designs() -> dict[str, Example]:
    """Every design by folder and name."""
    return {f"{DESIGNS}/{example.name}": example for example in designs()}


def find_examples(name: str | None) -> dict[str, Example]:
    """The examples of this name or of this system, the designs, or all battles, by system and name."""
    if name is None:
        return all_battles()
    every = {**all_battles(), **all_designs()}
    wanted = name.removesuffix(".toml")
    chosen = {
        full: example
        for full, example in every.items()
        if full.startswith((f"{wanted}/", f"{wanted}-")) or wanted in (full, example.name)
    }
    if not chosen:
        meant = suggest(name, [*names(), *every])
        hint = f", did you mean {meant}?" if meant else ""
        raise CommandError(f"there is no example {name}{hint} (grognard examples lists them)")
    return chosen


def copy_examples(listed: dict[str, Example], folder: Path) -> None:
    """Copy example files without overwriting any; designs go to a folder of their own, with the battles they vary."""
    battles = all_battles()
    bases = {based: battles[based] for example in listed.values() if (based := base_of(example)) in battles}
    targets: dict[Path, str] = {}
    for full, example in {**listed, **bases}.items():
        based = base_of(example)
        path = Path(f"{full}.toml" if full.startswith(f"{DESIGNS}/") else f"{full.replace('/', '-')}.toml")
        targets[folder / path] = (
            example.text.replace(f"../{based}", f"../{based.replace('/', '-')}") if based else example.text
        )
    existing = [str(path) for path in targets if path.exists()]
    if existing:
        raise CommandError(f"--output: {existing[0]} exists already")
    for path, text in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(str(path), text)
        report_written(str(path))


def base_of(example: Example) -> str:
    """The example battle that a design varies, by system and name; empty if there is none."""
    base = example.source.get("base")
    return base.removeprefix("../").removesuffix(".toml") if isinstance(base, str) else ""


@command("grognard schema SYSTEM > battle.schema.json")
@system_argument
@output_option
def schema(system: str, output: str | None) -> None:
    """Print the JSON Schema of a system's battle files."""
    text = json.dumps(schema_of(system_of(system)), indent=2) + "\n"
    if output is None:
        sys.stdout.write(text)
        return
    check_writable("--output", output)
    replace_text(output, text)
    report_written(output)


@command("grognard check battle.toml", "grognard new SYSTEM | grognard check -")
@file_argument
@json_option
def check(file: str, as_json: bool) -> None:
    """Check whether a file is a legal battle.

    If it is not, all its faults are listed with their lines.
    """
    battle = load(file)
    chosen = describe.house_rules(battle)
    if as_json:
        print_json({"legal": True, "system": battle.system.name, "rules": chosen})
    else:
        show(describe.battle_page(battle, file))


@command("grognard end-turn battle.toml -o next.toml", "grognard end-turn battle.toml --in-place")
@file_argument
@output_option
@click.option("--in-place", is_flag=True, help="Overwrite FILE.")
@json_option
def end_turn(file: str, output: str | None, in_place: bool, as_json: bool) -> None:
    """Clear the marks that last for a turn. The file need not have an attack yet."""
    if in_place and (output is not None or file == "-"):
        raise CommandError("--in-place: needs a FILE of its own, and no --output")
    system, source = load_draft(file)
    cleared = system.end_turn(source)
    target = file if in_place else output
    if target is not None:
        write(target, cleared, original=file)
        report_written(target)
    if as_json:
        print_json(cleared)
    elif target is None:
        sys.stdout.write(to_toml(cleared))
