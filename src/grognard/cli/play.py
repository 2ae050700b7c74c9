"""Commands about plays: play, replay, luck, verify."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from grognard.cli.console import (
    ProgressLine,
    check_writable,
    is_terminal,
    open_console,
    print_json,
    show,
    substitute_signs,
)
from grognard.cli.errors import FAILED, CommandError, UndoRequested, report_written
from grognard.cli.options import (
    assumptions_options,
    command,
    fractions_option,
    json_option,
    log_argument,
    objective_option,
    policy_option,
    script_option,
)
from grognard.core.errors import TooLarge, WrongAnswer
from grognard.core.readings import Face
from grognard.core.rules import End, Question, Roll, Roller
from grognard.core.systems import Battle, Role
from grognard.files import battle, load, read_data, replace_text, write
from grognard.files.messages import printable, unknown_name
from grognard.plays import fair, logs
from grognard.plays.answers import Answer, Rolled, accept, answers_from, format_question
from grognard.plays.dice import MachineDice
from grognard.plays.play import Play, play_to_end, start
from grognard.solver.assumptions import POLICIES, Assumptions
from grognard.solver.solution import PolicyPlayer, solve_under
from grognard.words.advice import luck_lines, luck_page
from grognard.words.blocks import Block, Line, muted
from grognard.words.colours import Sides
from grognard.words.plays import replay_page
from grognard.words.results import result_tables

if TYPE_CHECKING:
    from grognard.cli.terminal import Person, Screen

DICE = {"machine": "roll for me: the computer rolls", "table": "I'll roll, and type the faces"}
PLAYERS = {"ask": "a player is asked at the terminal"} | POLICIES
BATTLE_FILES = (".toml", ".json")
POSITIONS = 50_000
"""After a play, the odds are worked out only for battles of up to this many positions."""
SCRIPT_FORMAT = {
    "[answer, answer, …]": "a JSON list of answers, in the order of the questions; then people and policies answer",
    '{"roll": [10, 9, 7]}': "the faces of all dice of a roll, the attacker's first",
    '{"roll": ["DD", "", "CD"]}': "symbol dice by their symbols; a blank is an empty text",
    '{"choose": "yes"}': "the id of an option, as `advise` and `play` show it",
}


@command(
    "grognard play battle.toml",
    "grognard play battle.toml --dice table",
    "grognard play battle.toml --dice red=table",
    "grognard play battle.toml --defender best --seed 7",
    "grognard play battle.toml --script answers.json --json",
    "grognard play battle.toml --log log.json --after next.toml",
    "grognard play --resume log.json",
    Dice={**DICE, "SIDE=machine, SIDE=table": "for one side; --dice may be given more than once"},
    Script=SCRIPT_FORMAT,
)
@click.argument("file", metavar="FILE", required=False)
@click.option("--seed", metavar="N", help="Seed of the computer's dice: the same seed, the same dice.")
@click.option("--dice", metavar="WHO", multiple=True, help="Who rolls: machine (default), table, or SIDE=WHO.")
@script_option
@click.option("--log", metavar="FILE", help="Write a log, answer by answer, that can be replayed and resumed.")
@click.option("--resume", metavar="LOG", help="Go on with a play that was interrupted, in the same log.")
@click.option("--after", metavar="FILE", help="Write the battle as it is after the attack.")
@policy_option("attacker", PLAYERS, "ask")
@policy_option("defender", PLAYERS, "ask")
@objective_option
@json_option
def play(
    file: str | None,
    seed: str | None,
    dice: tuple[str, ...],
    script: str | None,
    log: str | None,
    resume: str | None,
    after: str | None,
    attacker: str,
    defender: str,
    objective: str,
    as_json: bool,
) -> None:
    """Resolve a battle step by step.

    Each step shows its paragraph. You are asked for decisions and, with --dice table, for the dice that you rolled; ?
    shows the value of each option or the odds, and u takes back the last answer. With --log, each answer is saved
    before the next question.
    """
    if (file is None) == (resume is None):
        raise CommandError("play needs a FILE, or a log to --resume, and not both")
    if file == script == "-":
        raise CommandError("--script: standard input is the battle already")
    if resume is not None and (log is not None or seed is not None):
        raise CommandError("--resume: the log goes on, with its own seed; leave out --log and --seed")
    log = log or resume
    if after is not None and log is not None and os.path.realpath(log) == os.path.realpath(after):
        raise CommandError(f"--after: {after} is the log already")
    check_writable("--log", log)
    check_writable("--after", after, BATTLE_FILES)
    begun, seed = (start(load(str(file))), seed) if resume is None else resume_log(resume)
    game = Game(begun, dice_of_sides(dice, begun.battle), (attacker, defender), objective, seed)
    game.script, game.log = read_script(script), log
    if not as_json:
        game.open_screen(file or str(resume))
    over = game.run()
    if after is not None:
        write_after(over, after, file or str(resume))
    if as_json:
        print_json(over.to_dict())
    else:
        show(end_page(game, over))
    report_written(log, after)


def resume_log(path: str) -> tuple[Play, str | None]:
    """The play of an unfinished log, and the seed of its dice."""
    log = replay_log(path)
    if log.play.question is None:
        raise CommandError(f"{path}: this play is over: grognard replay {path}")
    return log.play, log.seed


def dice_of_sides(options: Sequence[str], battle: Battle) -> dict[str, str]:
    """Who rolls for each side, by the side's name; "" is for all others."""
    chosen = {"": "machine"}
    for option in options:
        side, _, who = option.rpartition("=")
        if who not in DICE:
            raise CommandError(f"--dice: {unknown_name('way to roll', who, DICE)}")
        if side and side not in (known := Sides(battle).roles):
            raise CommandError(f"--dice: {unknown_name('side', side, known)}")
        chosen[side] = who
    return chosen


@dataclass
class ScriptFile:
    """The answers of a file, and how many of them have been given."""

    path: str | None
    answers: Sequence[Answer] = ()
    used: int = 0

    def next_answer(self, question: Question) -> Answer | None:
        """The next answer, or None if there are no more; an error if it does not fit the question."""
        if self.used == len(self.answers):
            return None
        self.used += 1
        try:
            accept(question, self.answers[self.used - 1])
        except WrongAnswer as wrong:
            raise CommandError(f"{self.path}: answer {self.used}: {wrong}") from None
        return self.answers[self.used - 1]

    def play_all(self, play: Play) -> Play:
        """The play after all answers of the script."""
        while play.question is not None and (answer := self.next_answer(play.question)) is not None:
            play = play.answer(answer)
        self.check_used_up()
        return play

    def check_used_up(self) -> None:
        """Raise an error if answers are left when the battle is over."""
        left = [answer.to_dict() for answer in self.answers[self.used :]]
        if left:
            raise CommandError(f"{self.path}: the battle is over, but the script has {len(left)} more: {left[0]}")


def read_script(path: str | None) -> ScriptFile:
    """The script in a file; without a file, one without answers."""
    if path is None:
        return ScriptFile(None)
    try:
        return ScriptFile(path, answers_from(read_data(path, "script")))
    except WrongAnswer as wrong:
        raise CommandError(f"{path}: {wrong}") from None


class Game:
    """One play at the terminal. The script answers first, then the computer where it may, else a person."""

    def __init__(
        self, begun: Play, dice: dict[str, str], players: tuple[str, str], objective: str, seed: str | None
    ) -> None:
        self.play, self.rolls_for, self.players = begun, dice, players
        attacker, defender = ("best" if who == "ask" else who for who in players)
        self.assumptions = Assumptions(attacker, defender, objective)
        self.dice = MachineDice(seed)
        for move in begun.moves:  # so that the dice continue where they were
            if isinstance(move.answer, Rolled) and move.answer.machine and isinstance(move.pending.question, Roll):
                self.dice.roll_all(move.pending.question.reading)
        self.policies = PolicyPlayer(begun.battle, self.assumptions, self.dice.seed)
        self.script = ScriptFile(None)
        self.log: str | None = None
        self.screen: Screen | None = None
        self.person: Person | None = None
        self.history: list[tuple[Play, int, int]] = []

    def open_screen(self, file: str) -> None:
        """Show the play on standard output, and ask a person if standard input is a terminal."""
        from grognard.cli.terminal import Person, Screen

        self.screen = Screen(open_console(), file)
        if is_terminal(sys.stdin):
            self.person = Person(self.screen, self.assumptions)

    def run(self) -> Play:
        """Play to the end; answers may be taken back."""
        self.save(self.play)
        while True:
            try:
                self.play = play_to_end(self.play, self.answer, self.save)
                self.script.check_used_up()
                return self.play
            except UndoRequested:
                self.play, self.dice.draws, self.policies.random.draws = self.history.pop()
                self.policies.solution = None
                self.save(self.play)

    def save(self, play: Play) -> None:
        """Write the log of the play so far, atomically."""
        if self.log is not None:
            rolls = self.rolls_for.values()
            seed = self.dice.seed if "machine" in rolls or is_rolled_by_machine(play) else None
            replace_text(self.log, json.dumps(play.log(seed), indent=1) + "\n")

    def answer(self, play: Play) -> Answer:
        """The answer to the question that is open."""
        question = play.question
        assert question is not None
        scripted = self.script.next_answer(question)
        if scripted is not None:
            return scripted
        if isinstance(question, Roll):
            return self.roll(play, question)
        role = play.battle.system.role_of(play.battle.setup, question.by)
        if self.players[role is Role.DEFENDER] == "ask":
            return self.ask(play, lambda person: person.decide(play))
        with ProgressLine("positions"):
            return self.policies(play)

    def roll(self, play: Play, question: Roll) -> Answer:
        """Roll, ask for the dice, or both: each side may roll its own."""
        pools = question.reading.dice
        rollers = question.by or (Roller("", ""),) * len(pools)
        is_mine = [self.rolls_for.get(by.side, self.rolls_for[""]) == "table" for by in rollers]
        mine = [(by, pool) for by, pool, typed in zip(rollers, pools, is_mine, strict=True) if typed and pool.count]
        if not mine:
            return Rolled(self.dice.roll_all(question.reading), machine=True)

        def complete(faces_typed: tuple[Face, ...]) -> Answer:
            typed = iter(faces_typed)
            is_typed = [mine for pool, mine in zip(pools, is_mine, strict=True) for _ in range(pool.count)]
            faces = [next(typed) if mine else None for mine in is_typed]
            machine_dice = tuple(number for number, mine in enumerate(is_typed) if not mine)
            answer = Rolled(self.dice.complete(question.reading, faces, len(play.moves)), machine_dice=machine_dice)
            accept(question, answer)
            return answer

        return self.ask(play, lambda person: person.roll(play, mine, complete))

    def ask(self, play: Play, ask: "Callable[[Person], Answer]") -> Answer:
        """Ask a person, who may take back the last answer."""
        question = play.question
        assert question is not None
        if self.person is None:
            way = "roll (--dice machine)" if isinstance(question, Roll) else "decide (--attacker best --defender best)"
            hint = f"Give it with --script, or let the computer {way}"
            raise CommandError(f"no answer: {format_question(question)}. {hint}")
        self.person.can_undo = bool(self.history)
        answer = ask(self.person)
        self.history.append((play, self.dice.draws, self.policies.random.draws))
        return answer


def end_page(game: Game, over: Play) -> list[Block]:
    """The result and how likely it was, after the last steps."""
    assert game.screen is not None
    game.screen.update(over)
    game.screen.console.print()
    blocks = result_tables(over.result.to_dict())
    try:
        with ProgressLine("positions"):
            blocks += luck_lines(solve_under(over.battle, game.assumptions, bound=POSITIONS).luck(over))
    except TooLarge:
        pass
    return [*blocks, Line(muted(f"seed of the dice: {game.dice.seed}"))] if is_rolled_by_machine(over) else blocks


def is_rolled_by_machine(play: Play) -> bool:
    rolls = (move.answer for move in play.moves if isinstance(move.answer, Rolled))
    return any(roll.machine or roll.machine_dice for roll in rolls)


def write_after(over: Play, path: str, file: str) -> None:
    """Write the battle after the attack, with the comments of its file."""
    assert isinstance(over.pending, End)
    source = over.battle.source
    left = over.battle.system.after(over.battle.setup, source, over.pending.state)
    write(path, left, {key: table for key, table in source.items() if key not in left}, original=file)


def replay_log(path: str) -> logs.Log:
    """Play a log again and check it."""
    try:
        return logs.replay(read_data(path, "log"), battle)
    except logs.LogError as wrong:
        raise CommandError(f"{path}: {wrong}") from None


@command("grognard replay log.json")
@log_argument
@json_option
def replay(log: str, as_json: bool) -> None:
    """Play a log again and check it.

    Every question, every die of the computer and the result must match the record.
    """
    again = replay_log(log)
    if as_json:
        data = {
            "result": again.play.result.to_dict() if again.play.question is None else None,
            "events": [event.to_dict() for event in again.play.events],
        }
        print_json(data | {"seed": again.seed, "rolls": again.rolls, "rolls_of_seed": again.rolls_of_seed})
    else:
        show(replay_page(again, log))


@command("grognard luck log.json", "grognard luck log.json --objective kill --fractions")
@log_argument
@assumptions_options
@fractions_option
@json_option
def luck(log: str, assumptions: Assumptions, as_json: bool) -> None:
    """Separate luck from decisions in a battle that was played.

    Each die and each decision gains or loses value: together they lead from the value at the start to that of the
    result. The policies say how both sides could have decided.
    """
    from grognard.cli.solve import format_too_large

    over = replay_log(log).play
    if over.question is not None:
        raise CommandError(f"{log}: the battle is not over: grognard play --resume {log}")
    try:
        with ProgressLine("positions") as progress:
            measured = solve_under(over.battle, assumptions, progress=progress).luck(over)
    except TooLarge as large:
        raise TooLarge(f"{log}: {format_too_large(large)}", large.size, large.bound) from None
    if as_json:
        print_json(measured.to_dict())
    else:
        show(luck_page(measured, log))


@command("grognard verify log.json", "grognard verify log.json --commitment 9f86d081…")
@log_argument
@click.option("--commitment", metavar="HEX", help="The commitment you wrote down before you added your number.")
@json_option
def verify(log: str, commitment: str | None, as_json: bool) -> None:
    """Check whether a log's dice are the ones committed to.

    Every die is computed again from its secret or its seed. All differences are listed; the exit status is 1 if there
    are any.
    """
    try:
        verified = fair.verify(read_data(log, "log"), battle)
    except logs.LogError as wrong:
        raise CommandError(f"{log}: {wrong}") from None
    differs = list(verified.differs)
    if commitment is not None and commitment.lower() != verified.commitment:
        differs.insert(0, f"fair.commitment: the log says {verified.commitment}, but yours is {commitment}")
    if as_json:
        print_json(verified.to_dict() | {"verified": not differs, "differs": differs})
    else:
        known = [("commitment", verified.commitment), *(verified.numbers or {}).items()]
        lines = [*differs, *(f"{name}: {value}" for name, value in known if value is not None)]
        lines.append("NOT verified" if differs else format_verified(verified))
        substitute_signs()  # a stranger's numbers may be any text
        sys.stdout.write("\n".join(map(printable, lines)) + "\n")
    if differs:
        sys.exit(FAILED)


def format_verified(verified: fair.Verification) -> str:
    """How many dice follow from the secret or the seed, and how many cannot be recomputed."""
    if not verified.table_dice:
        return f"verified: all {verified.dice} dice are the ones that follow"
    machine = f"all {verified.dice} dice of the computer are the ones that follow"
    return f"verified: {machine}; {verified.table_dice} were rolled on a table"
