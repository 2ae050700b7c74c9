"""Fair dice: by their description and stored numbers, by a stranger's verifier, against every kind of tampering."""

import copy
import hashlib
import itertools
import json
import re
import runpy
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard import systems
from grognard.api import play
from grognard.core.readings import d
from grognard.core.systems import Json
from grognard.files import battle
from grognard.files.examples import Example, examples
from grognard.plays.fair import FairDice, commit, digest, fair_log, new_secret, verify
from grognard.plays.logs import Log, LogError, replay
from tests import toys
from tests.server.live.fair import played

SECRET = bytes(range(32))
DICE = FairDice(SECRET, (("red", "4711"), ("blue", "zwölf")))
DOCUMENT = Path(__file__).parents[3] / "docs" / "fair-dice.md"
EXAMPLES = [example for name in systems.names() for example in examples(name)]


def through_json(log: Json) -> Json:
    return json.loads(json.dumps(log))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def log() -> Json:
    """A log with decisions of both sides before and after dice of different kinds."""
    found = max(EXAMPLES, key=lambda example: len(played(battle(example.source), DICE).moves))
    return through_json(fair_log(played(battle(found.source), DICE), DICE))


def test_the_seed_is_the_hmac_of_both_numbers_each_behind_its_length() -> None:
    message = b"\0\0\0\0\0\0\0\x04" + b"4711" + b"\0\0\0\0\0\0\0\x06" + "zwölf".encode()
    key = SECRET.ljust(64, b"\0")  # HMAC from its definition (RFC 2104)
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    assert hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest() == DICE.seed


STORED_COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
STORED_SEED = "0647f32f1a5b0e0de9947343d105502d1e5f193c74598d8537de678320bf6443"
STORED_DICE = [2, 6, 6, 2, 3, 6, 9, 1, 8, 5]


def test_secret_and_numbers_give_these_dice_for_ever() -> None:
    rolling = DICE.from_draw(0)
    assert commit(SECRET) == STORED_COMMITMENT
    assert DICE.seed == STORED_SEED
    assert [rolling.roll(d(faces)) for faces in (6, 6, 6, 6, 10, 10, 20, 4, 8, 12)] == STORED_DICE


@pytest.mark.parametrize(
    ("attacker", "defender"), [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"), ("c", "ab"), ("bc", "a")]
)
def test_no_two_pairs_of_numbers_make_the_same_seed(attacker: str, defender: str) -> None:
    others = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"), ("c", "ab"), ("bc", "a")]
    seeds = [seed_of(*pair) for pair in others]
    assert 1 == seeds.count(seed_of(attacker, defender))


def seed_of(*numbers: str) -> str:
    return FairDice(SECRET, tuple((str(place), number) for place, number in enumerate(numbers))).seed


def test_three_numbers_make_another_seed_than_two() -> None:
    assert 3 == len({seed_of("a", "b"), seed_of("a", "b", ""), seed_of("a", "", "b")})


@pytest.mark.parametrize("faces", [4, 6, 10, 12])
def test_faces_are_equally_likely(faces: int) -> None:
    rolls = 2000 * faces
    rolling = FairDice(SECRET, (("a", "even"), ("b", "odds"))).from_draw(0)
    counts = Counter(rolling.roll(d(faces)) for _ in range(rolls))
    chi_squared = sum((counts[face] - 2000) ** 2 / 2000 for face in d(faces).faces)
    assert set(d(faces).faces) == set(counts)
    assert chi_squared < faces - 1 + 4 * (2 * (faces - 1)) ** 0.5


def test_secrets_are_new_and_do_not_show() -> None:
    assert 100 == len({new_secret() for _ in range(100)})
    assert SECRET.hex() not in repr(DICE)
    assert repr(SECRET) not in repr(DICE)


def test_as_long_as_a_battle_is_not_over_its_log_keeps_the_dice_to_come_to_itself(log: Json) -> None:
    whole = battle(log["battle"])
    for moves in range(len(log["moves"])):
        unfinished = fair_log(played(whole, DICE, until=moves), DICE)
        text = json.dumps(unfinished)
        assert (None, None, None, None) == (
            unfinished["seed"],
            unfinished["digest"],
            unfinished["fair"]["secret"],
            unfinished["fair"]["numbers"],
        )
        assert SECRET.hex() not in text
        assert DICE.seed not in text
        assert commit(SECRET) == unfinished["fair"]["commitment"]
        assert log["moves"][:moves] == unfinished["moves"]
        assert ("fair.secret: it is not published before the battle is over",) == verify(unfinished, battle).differs


def verifier() -> str:
    """The sceptic's own verifier, as the document has it."""
    found = re.search(r"## Your own verifier.*?```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def verify_by_document(log: Json, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, file = folder / "verifier.py", folder / "log.json"
    script.write_text(verifier(), "utf-8")
    file.write_text(json.dumps(log), "utf-8")
    monkeypatch.setattr(sys, "argv", [str(script), str(file)])
    runpy.run_path(str(script))


def test_the_documents_verifier_has_twenty_lines_and_none_of_our_code() -> None:
    lines = [line for line in verifier().splitlines() if line.strip()]
    assert len(lines) <= 20
    assert "grognard" not in verifier()


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # twenty lines leave closing to Python
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("first", [True, False], ids=["first options", "last options"])
def test_every_verifier_finds_a_real_log_in_order(
    example: Example, first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = FairDice(new_secret(), (("red", "mine 😀"), ("blue", "yours"), ("green", "hers")))
    log = through_json(fair_log(played(battle(example.source), dice, first), dice))
    found = verify(log, battle)
    assert () == found.differs
    assert found.verified
    assert sum(len(move.get("roll", ())) for move in log["moves"]) == found.dice
    assert {"red": "mine 😀", "blue": "yours", "green": "hers"} == found.numbers
    assert dice.seed == replay(log, battle).seed
    verify_by_document(log, tmp_path, monkeypatch)
    assert commit(dice.secret) in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("place", ["secret", "commitment", "number", "die"])
def test_the_documents_verifier_finds_out_other_dice(
    log: Json, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copy.deepcopy(log)
    if place == "number":
        log["fair"]["numbers"][1]["number"] += "!"
    elif place == "die":
        rolled = next(move for move in log["moves"] if "roll" in move)
        faces = log["fair"]["dice"][rolled["dice"][0]]
        rolled["roll"][0] = next(face for face in faces if face != rolled["roll"][0])
    else:
        log["fair"][place] = "00" * 32
    with pytest.raises(AssertionError):
        verify_by_document(log, tmp_path, monkeypatch)


def tamperings(value: Any, put: Callable[[Any], None]) -> Iterator[Callable[[], None]]:
    """Every single change: each value another, each key gone, one more, lists shorter, longer, turned round."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from tamperings(inner, lambda new, key=key: value.__setitem__(key, new))  # type: ignore[misc]
            yield lambda key=key: value.pop(key)  # type: ignore[misc]
        yield lambda: value.__setitem__("more", 1)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from tamperings(inner, lambda new, place=place: value.__setitem__(place, new))  # type: ignore[misc]
        if value:
            yield lambda: value.append(value[-1])
            yield lambda: value.__delitem__(-1)
        if value != value[::-1]:
            yield lambda: value.reverse()
    elif isinstance(value, bool) or value is None:
        yield lambda: put(not value)
        yield lambda: put(int(value or 0))
    elif isinstance(value, int):
        yield lambda: put(value + 1)
        yield lambda: put(float(value))
    else:
        yield lambda: put(f"{value}x")
        yield lambda: put(value[:-1] + ("0" if value[-1:] != "0" else "1"))
        yield lambda: put(value.upper() if value != value.upper() else None)


def nothing(new: object) -> None:
    raise AssertionError("the log as a whole has no place")


def test_any_field_that_was_tampered_with_is_found_out(log: Json) -> None:
    count = sum(1 for _ in tamperings(log, nothing))
    assert count > 300
    for number in range(count):
        changed = copy.deepcopy(log)
        next(itertools.islice(tamperings(changed, nothing), number, None))()
        assert changed != log or json.dumps(changed) != json.dumps(log)
        try:
            assert not verify(changed, battle).verified, changed
        except LogError:
            assert not isinstance(changed.get("moves"), list) or not isinstance(changed.get("battle"), dict)


def test_a_decision_swapped_for_one_of_the_same_effect_is_found_out() -> None:
    whole = toys.toy(toys.gamble)
    log = through_json(fair_log(played(whole, DICE, first=False), DICE))
    assert "rob" == log["moves"][-1]["choose"]
    log["moves"][-1]["choose"] = "take"
    differs = verify(log, lambda source: whole).differs
    assert ["digest"] == [line.partition(":")[0] for line in differs]


def test_dice_typed_in_among_fair_ones_are_found_out(log: Json) -> None:
    log = copy.deepcopy(log)
    at = next(number for number, move in enumerate(log["moves"]) if "roll" in move)
    del log["moves"][at]["machine"]
    assert any(line.startswith(f"moves[{at}].machine: is missing") for line in verify(log, battle).differs)


def test_everything_that_differs_is_told(log: Json) -> None:
    log = copy.deepcopy(log)
    log["fair"]["commitment"] = "00" * 32
    log["moves"][0]["rule"] = "nowhere"
    found = verify(log, battle)
    assert ["moves[0].rule", "fair.commitment"] == [line.partition(":")[0] for line in found.differs]
    assert found.to_dict() == {
        "verified": False,
        "dice": found.dice,
        "table_dice": 0,
        "commitment": "00" * 32,
        "numbers": {"red": "4711", "blue": "zwölf"},
        "differs": list(found.differs),
    }


def test_what_cannot_be_read_is_told_in_plain_words(log: Json) -> None:
    log = copy.deepcopy(log)
    at = next(number for number, move in enumerate(log["moves"]) if "choose" in move)
    for wrong in ({}, {"choose": 3}, None):
        log["moves"][at] = wrong
        [told] = verify(log, battle).differs
        assert told.startswith(f"moves[{at}]: ")
        assert "is no answer: expected" in told
    log["fair"] |= {"secret": "not hexadecimal"}
    assert ("fair.secret: expected hexadecimal digits, two for each byte",) == verify(log, battle).differs


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_log_with_a_seed_is_verified_too(example: Example) -> None:
    whole = play(battle(example.source), seed="17", attacker="eager", defender="cautious")
    log = through_json(Log(whole, "17").to_dict())
    assert verify(log, battle).verified
    assert not verify({**log, "seed": "18"}, battle).verified
    assert not verify({**log, "result": None}, battle).verified


def test_dice_from_a_table_cannot_be_verified() -> None:
    whole = battle(EXAMPLES[0].source)
    log = Log(played(whole, DICE), None).to_dict()
    assert [line.partition(":")[0] for line in verify(log, battle).differs] == ["seed"]


@pytest.mark.parametrize("log", [None, [], {}, {"moves": []}, {"moves": {}, "battle": {}}, {"moves": [], "battle": 3}])
def test_what_is_no_log_is_refused(log: object) -> None:
    with pytest.raises(LogError, match="no log of ours"):
        verify(log, battle)


def test_a_log_of_format_1_is_still_verified() -> None:
    """It has the numbers by role, and words its questions in its own way."""
    dice = FairDice(SECRET, (("attacker", "4711"), ("defender", "zwölf")))
    log = through_json(fair_log(played(battle(EXAMPLES[0].source), dice), dice))
    log["grognard"] = 1
    log["moves"] = [{**move, "asked": "as it was asked then"} for move in log["moves"]]
    for move in log["moves"]:
        del move["question"]
    log["fair"]["numbers"] = {"attacker": "4711", "defender": "zwölf"}
    log["digest"] = digest(log)
    assert () == verify(log, battle).differs
    log["moves"][0]["asked"] = "something else"
    assert ["digest"] == [line.partition(":")[0] for line in verify(log, battle).differs]
