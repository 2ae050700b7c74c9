"""Design files: a base battle, what varies in it, how both sides decide, and what is measured."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json, System
from grognard.files import system_of, wrong_kind_faults
from grognard.files.battles import SYSTEM
from grognard.files.messages import format_value, join_key, quote, unknown_name
from grognard.files.sources import Source, read_source
from grognard.solver.assumptions import Assumptions, Policy
from grognard.studies.sweeps.factors import Factor, VaryTable, find_overwritten
from grognard.studies.sweeps.formulas import Formula, FormulaError, parse

KEYS = ("base", "battle", "attacker", "defender", "objective", "sample", "seed", "vary", "measures", "roster", "plot")
PLOT = ("kind", "x", "y", "lines", "panels", "measure")


@dataclass(frozen=True, slots=True)
class Design:
    """A design file. A process that solves match-ups needs only the first fields."""

    system: System[Any]
    battle: Json
    factors: tuple[Factor, ...]
    assumptions: Assumptions = field(default_factory=Assumptions)
    formulas: tuple[Formula, ...] = ()
    """The measures of the table; none: those of the battle."""
    sample: int | None = None
    seed: int = 0
    plot: Mapping[str, str] = field(default_factory=dict)
    question: str = ""
    """The first line of comment."""
    file: str | None = None
    source: Source | None = None
    base_file: str | None = None
    base_source: Source | None = None
    """The battle's own file, if it has one."""

    @property
    def objective(self) -> str:
        """The name of the objective."""
        return self.assumptions.objective_name

    def error(self, faults: Sequence[Fault]) -> BattleError:
        """The error for faults of the design, at its lines."""
        return _error(faults, self.file, self.source)

    def error_of_battle(self, faults: Sequence[Fault]) -> BattleError:
        """The error for faults of the base battle, at the lines of the file that it is in."""
        if self.base_source:
            return _error(faults, self.base_file, self.base_source)
        return self.error([fault.below("battle") for fault in faults])

    @property
    def size(self) -> int:
        """The number of match-ups."""
        grid = prod(len(factor.levels) for factor in self.factors)
        return grid if self.sample is None else min(self.sample, grid)

    @property
    def sizes(self) -> str:
        """The size of the grid by factor: `10 × 10 × 5`."""
        return " × ".join(f"{len(factor.levels):,}" for factor in self.factors)

    @property
    def columns(self) -> list[str]:
        """The columns of the factors."""
        return [column for factor in self.factors for column in factor.columns]


def _error(faults: Sequence[Fault], file: str | None, source: Source | None) -> BattleError:
    return source.error(faults) if source else BattleError(faults, file)


def load_design(given: str | Path | Mapping[str, object]) -> Design:
    """Parse a design from a file or a dictionary; all its faults are one BattleError."""
    if isinstance(given, Mapping):
        return _Parser(given, Path(), None).design()
    source = read_source(given)
    if other := wrong_kind_faults(source.data, "design"):
        raise BattleError(other, str(given))
    if not isinstance(source.data, Mapping):
        raise BattleError([Fault("", f"found {format_value(source.data)}, expected a table with `vary`")], str(given))
    first = source.text.lstrip().partition("\n")[0]
    question = first.lstrip("# ").rstrip() if first.startswith("#") else ""
    return _Parser(source.data, Path(given).parent, source, str(given), question).design()


class _Parser:
    """Parses one design and collects its faults."""

    def __init__(
        self,
        data: Mapping[str, object],
        folder: Path,
        source: Source | None,
        file: str | None = None,
        question: str = "",
    ) -> None:
        self.data, self.folder, self.source, self.file, self.question = data, folder, source, file, question
        self.base: Source | None = None
        self.faults: list[Fault] = []

    def fault(self, place: str, message: str) -> None:
        self.faults.append(Fault(place, message))

    def design(self) -> Design:
        for key in self.data:
            if key not in KEYS:
                self.fault(join_key("", key), unknown_name("key", key, KEYS))
        system, battle = self.battle()
        if system is None:
            raise _error(self.faults, self.file, self.source)
        design = Design(
            system,
            battle,
            self.factors(system, battle),
            Assumptions(
                self.one_of("attacker", "best", Policy),
                self.one_of("defender", "best", Policy),
                self.one_of("objective", "swing", system.objectives),
            ),
            self.formulas(),
            self.number("sample", 1) if "sample" in self.data else None,
            self.number("seed", 0),
            self.plot(),
            self.question,
            self.file,
            self.source,
            str(self.folder / str(self.data["base"])) if self.base else None,
            self.base,
        )
        self.check_columns(design)
        if self.faults:
            raise _error(self.faults, self.file, self.source)
        return design

    def battle(self) -> tuple[System[Any] | None, Json]:
        """The base battle, from its own file or from the design itself."""
        if ("base" in self.data) == ("battle" in self.data):
            self.fault("base", "a design has either `base`, the path of a battle file, or a table `battle`")
            return None, {}
        base = self.data.get("base", "")
        if not isinstance(base, str):
            self.fault("base", f"found {format_value(base)}, expected the path of a battle file")
            return None, {}
        path = self.folder / base
        if "base" in self.data:
            self.base = read_source(path)
        given = self.base.data if self.base else self.data["battle"]
        if not isinstance(given, Mapping):
            self.fault("base" if base else "battle", f"found {format_value(given)}, expected a table with `{SYSTEM}`")
            return None, {}
        try:
            system = system_of(given.get(SYSTEM))
            return system, system.expand(dict(given), path.parent if base else self.folder)
        except BattleError as error:
            above = "base" if base else "battle"
            self.faults += [fault.below(above) for fault in error.faults]
            return None, {}

    def factors(self, system: System[Any], battle: Json) -> tuple[Factor, ...]:
        vary = self.data.get("vary", [])
        if not isinstance(vary, Sequence) or isinstance(vary, str) or not all(isinstance(v, Mapping) for v in vary):
            self.fault("vary", f"found {format_value(vary)}, expected tables: [[vary]]")
            return ()
        if not vary:
            self.fault("vary", "nothing varies: an empty grid; expected at least one [[vary]] with a `path`")
        roster = self.roster(system)
        tables = [VaryTable(table, f"vary[{n}]", system, battle, roster, self.faults) for n, table in enumerate(vary)]
        return tuple(factor for table in tables if (factor := table.factor()) is not None)

    def roster(self, system: System[Any]) -> Mapping[str, Json]:
        """The design's own cards, or else the system's."""
        own = self.data.get("roster")
        if own is None:
            return system.roster()
        if not isinstance(own, Mapping) or not all(isinstance(card, Mapping) for card in own.values()):
            self.fault("roster", f"found {format_value(own)}, expected a table of cards: [roster.NAME]")
            return {}
        return own

    def one_of(self, key: str, default: str, known: Iterable[str]) -> str:
        """One of the known words."""
        word = self.data.get(key, default)
        if not isinstance(word, str) or word not in set(known):
            self.fault(key, f"found {format_value(word)}, expected one of {', '.join(map(quote, known))}")
        return str(word)

    def number(self, key: str, at_least: int) -> int:
        number = self.data.get(key, 0)
        if isinstance(number, bool) or not isinstance(number, int) or number < at_least:
            self.fault(key, f"found {format_value(number)}, expected a whole number ≥ {at_least}")
            return at_least
        return number

    def formulas(self) -> tuple[Formula, ...]:
        given = self.data.get("measures", {})
        if not isinstance(given, Mapping):
            self.fault("measures", f"found {format_value(given)}, expected a table of names, each with a formula")
            return ()
        formulas = []
        for name, text in given.items():
            place = join_key("measures", name)
            try:
                if not isinstance(text, str):
                    raise FormulaError(f"found {format_value(text)}, expected a formula as text")
                formulas.append(parse(str(name), text))
            except FormulaError as error:
                self.fault(place, str(error))
        return tuple(formulas)

    def plot(self) -> Mapping[str, str]:
        plot = self.data.get("plot", {})
        if not isinstance(plot, Mapping):
            self.fault("plot", f"found {format_value(plot)}, expected a table with any of {', '.join(PLOT)}")
            return {}
        for key, value in plot.items():
            if key not in PLOT:
                self.fault(join_key("plot", key), unknown_name("key", key, PLOT))
            elif not isinstance(value, str):
                self.fault(join_key("plot", key), f"found {format_value(value)}, expected the name of a column")
        return {str(key): str(value) for key, value in plot.items()}

    def check_columns(self, design: Design) -> None:
        """No two columns have one name, no two factors set the same path, and plots name columns."""
        columns = [*design.columns, *(formula.name for formula in design.formulas)]
        for name in columns:
            if "fault" == name or not name.strip() or "\ud800" <= max(name) <= "\udfff":
                self.fault("vary", f"no column can be called {quote(name)}")
        for name in sorted({name for name in columns if columns.count(name) > 1}):
            self.fault("vary", f"two columns are called {quote(name)}: give one another `name`")
        for number, factor in enumerate(design.factors):
            for later, other in enumerate(design.factors[number + 1 :], number + 1):
                if not factor.is_roster and (place := find_overwritten(factor, other)):
                    self.fault(f"vary[{later}]", f"writes over `{place}`, which vary[{number}] varies")
        for key, name in ((key, name) for key, name in design.plot.items() if key in PLOT):
            known = ["heat", "curves"] if key == "kind" else columns
            if name not in known and (design.formulas or key != "measure"):
                self.fault(join_key("plot", key), unknown_name("kind" if key == "kind" else "column", name, known))
