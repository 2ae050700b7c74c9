"""Commands about live battles: verify, prune."""

import re
from typing import Annotated

import typer

from grognard.cli.errors import FAILED, Refused
from grognard.cli.options import AsJson
from grognard.cli.output import open_console, print_json, read_json

UNITS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
"""Seconds in a minute, an hour, a day, a week."""


def verify(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="The log of a live battle, or one that `play --log` wrote.")
    ],
    commitment: Annotated[
        str | None,
        typer.Option("--commitment", metavar="HEX", help="The commitment you wrote down before you added your number."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell whether a log's dice are the ones committed to: compute every die again, from its secret or its seed.

    Exit status 1 if anything differs; all that does is listed.
    """
    from grognard.files import battle
    from grognard.plays.fair import verify as compute_again
    from grognard.plays.logs import LogError

    try:
        found = compute_again(read_json(log), battle)
    except LogError as wrong:
        raise Refused(f"{log}: {wrong}") from None
    differs = list(found.differs)
    if commitment is not None and commitment.lower() != found.commitment:
        differs.insert(0, f"fair.commitment: the log says {found.commitment}, but yours is {commitment}")
    if as_json:
        print_json(found.to_dict() | {"verified": not differs, "differs": differs})
    else:
        console = open_console()
        for line in differs:
            console.print(line, soft_wrap=True)
        for name, value in [("commitment", found.commitment), *(found.numbers or {}).items()]:
            if value is not None:
                console.print(f"{name}: {value}", soft_wrap=True)
        console.print("NOT verified" if differs else f"verified: all {found.dice} dice are the ones that follow")
    if differs:
        raise typer.Exit(FAILED)


def prune(
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="Such as 30d, 12h, 2w: nothing was done in them since.")
    ],
    database: Annotated[
        str | None, typer.Option("--database", metavar="URL", help="Where the server keeps its battles.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell how many there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove old live battles from a server's database."""
    import time

    seconds = _seconds(older_than)
    from grognard.server.live.store import Store
    from grognard.server.settings import default_database

    store = Store(database or default_database())
    try:
        if not store.exists():
            raise Refused(f"--database: there is no {store.url.database}")
        store.migrate()
        pruned = store.prune(int((time.time() - seconds) * 1000), dry_run)
    finally:
        store.close()
    if as_json:
        print_json({"found": pruned, "removed": 0 if dry_run else pruned})
        return
    battles = f"{pruned} battle{'' if pruned == 1 else 's'} older than {older_than}"
    open_console().print(f"{battles}, none removed yet" if dry_run else f"{battles} removed")


def _seconds(age: str) -> int:
    match = re.fullmatch(r"(\d{1,6})([mhdw])", age)
    if match is None:
        raise Refused(f"--older-than: {age!r} is no age: expected a number and one of m, h, d, w, such as 30d")
    return int(match[1]) * UNITS[match[2]]
