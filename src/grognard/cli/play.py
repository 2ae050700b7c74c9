"""Commands about plays: play, replay, luck, verify."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import click
from click.shell_completion import CompletionItem

from grognard.cli.console import Working, check_writable, is_terminal, open_console, print_json, read_json, show
from grognard.cli.errors import FAILED, CommandError, say_written
from grognard.cli.options import (
    fractions_option,
    json_option,
    load_battle,
    log_argument,
    players,
    policies,
    read_log,
    refuse_other_kind,
    script_option,
)

if TYPE_CHECKING:
    from grognard.cli.terminal import Person, Screen
    from grognard.core.readings import Face
    from grognard.core.rules import Question, Roll
    from grognard.core.systems import Battle
    from grognard.plays.answers import Answer
    from grognard.plays.logs import Log
    from grognard.plays.play import Play
    from grognard.words.blocks import Block

DICE = {"machine": "roll for me: the computer rolls", "table": "I'll roll, and type the faces"}
BATTLE_FILES = (".toml", ".json")
POSITIONS = 50_000
"""At the end of a play nobody waits for larger odds than that."""
SCRIPT_FORMAT = {
    "[answer, answer, …]": "a JSON list of answers, in the order asked; once it is used up, people and policies answer",
    '{"roll": [10, 9, 7]}': "the faces of all dice of a roll, the attacker's first",
    '{"roll": ["DD", "", "CD"]}': "symbol dice by their symbols; a blank is an empty text",
    '{"choose": "yes"}': "the id of an option, as `advise` and `play` show it",
}


def complete_dice(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Who rolls."""
    return [CompletionItem(name, help=says) for name, says in DICE.items() if name.startswith(incomplete)]


@click.argument("file", metavar="[FILE]", required=False, type=click.Path())
@click.option("--seed", metavar="N", help="The machine's dice: the same seed, the same dice.")
@click.option(
    "--dice",
    metavar="WHO",
    multiple=True,
    help="machine: roll for me. table: I'll roll. SIDE=machine or SIDE=table: for one side.",
    shell_complete=complete_dice,
)
@script_option
@click.option("--log", metavar="FILE", help="Write a log, answer by answer, that can be replayed and resumed.")
@click.option("--resume", metavar="LOG", help="Go on with a play that was interrupted, in the same log.")
@click.option("--after", metavar="FILE", help="Write the battle as it is after the attack.")
@players
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

    Each step has its paragraph beside it. People are asked for their decisions and, if they like, for the dice they
    rolled; ? shows the value of each option or the odds, and u takes back the last answer. With --log, each answer is
    on disk before the next question.
    """
    check_play_options(file, seed, script, log, resume, after)
    begun, seed = begin(file, seed, resume)
    game = Game(begun, dice_of_sides(dice, begun.battle), (attacker, defender), objective, seed)
    game.script, game.log = read_script(script), log or resume
    if not as_json:
        game.open_screen(file or str(resume))
    over = game.run()
    if after is not None:
        write_after(over, after)
    if as_json:
        print_json(over.to_dict())
    else:
        show(end_page(game, over))
    say_written(game.log, after)


def check_play_options(
    file: str | None, seed: str | None, script: str | None, log: str | None, resume: str | None, after: str | None
) -> None:
    """Refuse options that contradict each other, and files that could not be written."""
    if (file is None) == (resume is None):
        raise CommandError("play needs a FILE, or a log to --resume, and not both")
    if file == script == "-":
        raise CommandError("--script: standard input is the battle already")
    if resume is not None and (log is not None or seed is not None):
        raise CommandError("--resume: the log goes on, with its own seed; leave out --log and --seed")
    if after is not None and os.path.realpath(log or resume or "") == os.path.realpath(after):
        raise CommandError(f"--after: {after} is the log already")
    check_writable("--log", log)
    check_writable("--resume", resume)
    check_writable("--after", after, BATTLE_FILES)


def begin(file: str | None, seed: str | None, resume: str | None) -> "tuple[Play, str | None]":
    """The play at its start, or as far as a log goes, and the seed of its dice."""
    from grognard.plays.play import start

    if resume is None:
        return start(load_battle(str(file))), seed
    log = replay_log(resume)
    if log.play.question is None:
        raise CommandError(f"{resume}: this play is over; grognard replay {resume} shows it")
    return log.play, log.seed


def dice_of_sides(options: tuple[str, ...], battle: "Battle") -> dict[str, str]:
    """Who rolls for each side, by the side's name; "" stands for all others."""
    from grognard.files.words import unknown
    from grognard.words.colours import Sides

    chosen = {"": "machine"}
    for option in options:
        side, _, who = option.rpartition("=")
        if who not in DICE:
            raise CommandError(f"--dice: {unknown('way to roll', who, DICE)}")
        if side and side not in (known := Sides(battle).roles):
            raise CommandError(f"--dice: {unknown('side', side, known)}")
        chosen[side] = who
    return chosen


@dataclass
class ScriptFile:
    """The answers of a file, and how many of them have been given."""

    path: str | None
    answers: "list[Answer]"
    used: int = 0

    def next_answer(self, question: "Question") -> "Answer | None":
        """The next answer, once it is found to fit the question; None if there are no more."""
        from grognard.core.errors import WrongAnswer
        from grognard.plays.answers import accept

        if self.used == len(self.answers):
            return None
        answer = self.answers[self.used]
        self.used += 1
        try:
            accept(question, answer)
        except WrongAnswer as wrong:
            raise CommandError(f"{self.path}: answer {self.used}: {wrong}") from None
        return answer

    def play_all(self, play: "Play") -> "Play":
        """Give all answers one after the other: how far the script gets."""
        while play.question is not None and (answer := self.next_answer(play.question)) is not None:
            play = play.answer(answer)
        self.check_used_up()
        return play

    def check_used_up(self) -> None:
        """A script that goes on after the end is a mistake worth knowing of."""
        left = self.answers[self.used :]
        if left:
            raise CommandError(
                f"{self.path}: the battle is over, but the script has {len(left)} more: {left[0].to_dict()}"
            )


def read_script(path: str | None) -> ScriptFile:
    """The script in a file; without a file, one without answers."""
    from grognard.core.errors import WrongAnswer
    from grognard.plays.answers import answers_from

    if path is None:
        return ScriptFile(None, [])
    try:
        return ScriptFile(path, list(answers_from(read_json(path))))
    except WrongAnswer as wrong:
        refuse_other_kind(path, "script")
        raise CommandError(f"{path}: {wrong}") from None


class Game:
    """One play at the terminal: the script answers first, then the machine where it may, else a person."""

    def __init__(
        self, begun: "Play", dice: dict[str, str], players: tuple[str, str], objective: str, seed: str | None
    ) -> None:
        from grognard.plays.answers import Rolled
        from grognard.plays.dice import MachineDice
        from grognard.solver.assumptions import Assumptions
        from grognard.solver.solution import PolicyPlayer

        self.play, self.rolls_for, self.players = begun, dice, players
        attacker, defender = ("best" if who == "ask" else who for who in players)
        self.assumptions = Assumptions(attacker, defender, objective)
        self.dice = MachineDice(seed)
        for move in begun.moves:  # so that the dice go on where they were
            if isinstance(move.answer, Rolled) and move.answer.machine:
                self.dice.roll_all(cast("Roll", move.pending.question).reading)
        self.policies = PolicyPlayer(begun.battle, self.assumptions, self.dice.seed)
        self.script = ScriptFile(None, [])
        self.log: str | None = None
        self.screen: Screen | None = None
        self.person: Person | None = None
        self.history: list[tuple[Play, int, int]] = []

    def open_screen(self, file: str) -> None:
        """Show the play on standard output, and ask people if they sit at the terminal."""
        from grognard.cli.terminal import Person, Screen

        self.screen = Screen(open_console(), file)
        if is_terminal(sys.stdin):
            self.person = Person(self.screen, self.assumptions)

    @property
    def seed(self) -> str | None:
        """The seed of the machine's dice, if it may roll any."""
        return self.dice.seed if "machine" in self.rolls_for.values() else None

    def run(self) -> "Play":
        """Play to the end, whatever is taken back on the way."""
        from grognard.cli.terminal import Undo
        from grognard.plays.play import play_to_end

        self.save(self.play)
        while True:
            try:
                self.play = play_to_end(self.play, self.answer, self.save)
                self.script.check_used_up()
                return self.play
            except Undo:
                self.play, self.dice.draws, self.policies.random.draws = self.history.pop()
                self.policies.solution = None
                self.save(self.play)

    def save(self, play: "Play") -> None:
        """Write the log as far as the play goes, whole or not at all."""
        if self.log is not None:
            from grognard.files import replace_text

            replace_text(self.log, json.dumps(play.log(self.seed), indent=1) + "\n")

    def answer(self, play: "Play") -> "Answer":
        """The answer to the question that is open."""
        from grognard.core.rules import Roll
        from grognard.core.systems import Role

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
        with Working("positions"):
            return self.policies(play)

    def roll(self, play: "Play", question: "Roll") -> "Answer":
        """Roll, ask for the dice, or both: some sides may roll their own."""
        from grognard.core.rules import Roller
        from grognard.plays.answers import Rolled, accept
        from grognard.plays.dice import MachineDice

        rollers = question.by if len(question.by) == len(question.reading.dice) else None
        pools = list(zip(rollers or [Roller("", "")] * len(question.reading.dice), question.reading.dice, strict=True))
        asked = [self.rolls_for.get(by.side, self.rolls_for[""]) == "table" for by, _ in pools]
        mine = [(by, pool) for (by, pool), is_mine in zip(pools, asked, strict=True) if is_mine and pool.count]
        if not mine:
            return Rolled(self.dice.roll_all(question.reading), machine=True)

        def complete(given: "tuple[Face, ...]") -> Rolled:
            faces, dice = iter(given), MachineDice(f"{self.dice.seed} roll {len(play.moves)}")
            rolled = [
                next(faces) if is_mine else dice.roll(pool.die)
                for (_, pool), is_mine in zip(pools, asked, strict=True)
                for _ in range(pool.count)
            ]
            answer = Rolled(tuple(rolled))
            accept(question, answer)
            return answer

        return self.ask(play, lambda person: person.roll(play, mine, complete))

    def ask(self, play: "Play", ask: "Callable[[Person], Answer]") -> "Answer":
        """Ask a person, who may take back the last answer."""
        if self.person is None:
            from grognard.core.rules import Roll
            from grognard.plays.answers import format_question

            question = play.question
            assert question is not None
            way = "roll (--dice machine)" if isinstance(question, Roll) else "decide (--attacker best --defender best)"
            raise CommandError(
                f"no answer: {format_question(question)}. Give it with --script, or let the computer {way}"
            )
        self.person.can_undo = bool(self.history)
        answer = ask(self.person)
        self.history.append((play, self.dice.draws, self.policies.random.draws))
        return answer


def end_page(game: Game, over: "Play") -> "list[Block]":
    """The last steps, the result, and how likely that was."""
    from grognard.core.errors import TooLarge
    from grognard.solver.solution import solve_under
    from grognard.words.advice import end_lines
    from grognard.words.blocks import Line, muted
    from grognard.words.results import result_tables

    assert game.screen is not None
    game.screen.update(over)
    blocks = [Line(""), *result_tables(over.result.to_dict())]
    try:
        with Working("positions"):
            blocks += end_lines(solve_under(over.battle, game.assumptions, bound=POSITIONS).luck(over))
    except TooLarge:
        pass
    return [*blocks, Line(muted(f"dice of seed {game.dice.seed}"))] if game.dice.draws else blocks


def write_after(over: "Play", path: str) -> None:
    """Write the battle as it is after the attack."""
    from grognard.core.rules import End
    from grognard.files import write

    battle = over.battle
    assert isinstance(over.pending, End)
    left = battle.system.after(battle.setup, battle.source, over.pending.state)
    write(path, left, {key: table for key, table in battle.source.items() if key not in left})


def replay_log(path: str) -> "Log":
    """Play a log again and check it."""
    from grognard.files import battle
    from grognard.plays.logs import LogError
    from grognard.plays.logs import replay as play_again

    try:
        return play_again(read_log(path), battle)
    except LogError as wrong:
        raise CommandError(f"{path}: {wrong}") from None


@log_argument
@json_option
def replay(log: str, as_json: bool) -> None:
    """Play a log again and check it.

    Every question, every die of the machine and the result must be as recorded.
    """
    again = replay_log(log)
    is_over = again.play.question is None
    if as_json:
        events = [event.to_dict() for event in again.play.events]
        checked = {"seed": again.seed, "rolls": again.rolls, "rolls_of_seed": again.rolls_of_seed}
        print_json({"result": again.play.result.to_dict() if is_over else None, "events": events, **checked})
        return
    from grognard.words.plays import replay_page

    show(replay_page(again, log))


@log_argument
@policies
@fractions_option
@json_option
def luck(log: str, attacker: str, defender: str, objective: str, fractions: bool, as_json: bool) -> None:
    """Tell luck from decisions in a battle that was played.

    Die by die and decision by decision: both together lead from the value of the battle at the start to that of its
    result. The policies say what both sides could have done.
    """
    from grognard.core.errors import TooLarge, WrongAnswer
    from grognard.plays.answers import format_question
    from grognard.solver.solution import solve

    play = replay_log(log).play
    if play.question is not None:
        raise WrongAnswer(f"{log}: the battle is not over: {format_question(play.question)}")
    try:
        with Working("positions") as progress:
            measured = solve(play.battle, attacker, defender, objective, fractions, progress=progress).luck(play)
    except TooLarge as large:
        raise TooLarge(f"{log}: {large.what}", large.size, large.bound, advice="") from None
    if as_json:
        print_json(measured.to_dict())
        return
    from grognard.words.advice import luck_page

    show(luck_page(measured, log))


@log_argument
@click.option("--commitment", metavar="HEX", help="The commitment you wrote down before you added your number.")
@json_option
def verify(log: str, commitment: str | None, as_json: bool) -> None:
    """Say whether a log's dice are the ones committed to: every die is computed again, from its secret or its seed.

    Exit status 1 if anything differs; all that does is listed.
    """
    from grognard.files import battle
    from grognard.plays.fair import verify as compute_again
    from grognard.plays.logs import LogError

    try:
        verified = compute_again(read_log(log), battle)
    except LogError as wrong:
        raise CommandError(f"{log}: {wrong}") from None
    differs = list(verified.differs)
    if commitment is not None and commitment.lower() != verified.commitment:
        differs.insert(0, f"fair.commitment: the log says {verified.commitment}, but yours is {commitment}")
    if as_json:
        print_json(verified.to_dict() | {"verified": not differs, "differs": differs})
    else:
        lines = [*differs]
        known = [("commitment", verified.commitment), *(verified.numbers or {}).items()]
        lines += [f"{name}: {value}" for name, value in known if value is not None]
        lines.append("NOT verified" if differs else f"verified: all {verified.dice} dice are the ones that follow")
        sys.stdout.write("\n".join(lines) + "\n")
    if differs:
        sys.exit(FAILED)
