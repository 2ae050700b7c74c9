"""The page as plain files, and the engine inside it."""

import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from grognard import browser, site, systems
from grognard.api import odds
from grognard.core.errors import GrognardError
from grognard.files import battle

INDEX = '<!doctype html><html lang="en"><script src="./assets/index-1.js"></script></html>'
TRAP = Path(__file__).parent / "server" / "systems" / "trap"
ARRIVALS = [{"player": f"Red {n}", "side": "attack", "units": 9, "optional": True} for n in range(9)]
LARGE = {"system": "ranks", "defender": {"player": "Blue", "units": 9}, "arrivals": ARRIVALS}
BOUND = 2_000
"""Positions: far fewer than the large battle has."""
ALONE = """
import sys
sys.path[:] = [path for path in sys.path if "site-packages" not in path] + [sys.argv[1]]
from grognard.browser import answer
print(answer(sys.argv[2]))
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "assets" / "index-1.js").write_text("")
    (tmp_path / "sw.js").write_text("// self.FILES is replaced\nconst { files, later, alone } = self.FILES\n")
    return tmp_path


def test_the_engine_needs_nothing_but_python(tmp_path: Path) -> None:
    with ZipFile(BytesIO(site.engine())) as packed:
        packed.extractall(tmp_path)
    fight = systems.find("ranks").example | {"system": "ranks"}
    request = json.dumps({"task": "odds", "about": {"battle": fight, "fractions": True}})
    run = subprocess.run([sys.executable, "-S", "-c", ALONE, tmp_path, request], check=True, capture_output=True)
    assert {"status": "done", "reply": odds(battle(fight), fractions=True).to_dict()} == json.loads(run.stdout)


def test_the_engine_is_the_same_bytes_for_the_same_files() -> None:
    assert site.engine() == site.engine()


def test_the_service_worker_knows_every_file(page: Path) -> None:
    files = site.files(page)
    told = json.loads(files["sw.js"].decode().split("= ")[1])
    assert set(files) - {"sw.js"} == set(told["files"])
    assert (["engine.zip"], True) == (told["later"], told["alone"])
    assert told["files"]["index.html"] != json.loads(site.files(page, alone=False)["sw.js"].decode().split("= ")[1])


def test_only_the_page_alone_says_that_it_has_no_server(page: Path) -> None:
    assert b"<html data-alone " in site.files(page)["index.html"]
    assert INDEX.encode() == site.files(page, alone=False)["index.html"]


def test_no_file_of_the_built_page_is_named_from_the_top() -> None:
    if not (site.BUILT / "index.html").exists():
        pytest.skip("the page has not been built")
    index = site.files()["index.html"].decode()
    assert [] == re.findall(r'(?:src|href)="(?!\./)[^"]*"', index)


def test_a_page_that_was_not_built_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(GrognardError, match="make page"):
        site.files(tmp_path)


def test_a_page_of_an_older_version_is_no_site(page: Path) -> None:
    (page / "sw.js").unlink()
    with pytest.raises(GrognardError, match=r"older version: no sw\.js: .*make page"):
        site.files(page)


@pytest.mark.parametrize("task", ["odds", "simulate"])
def test_a_battle_too_large_for_a_phone_says_so(task: str) -> None:
    request = {"task": task, "about": {"battle": LARGE, "bound": BOUND}}
    answer = json.loads(browser.answer(json.dumps(request)))
    assert ("refused", BOUND) == (answer["status"], answer["reply"]["bound"])


def test_work_in_a_browser_is_bounded_for_a_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "POSITIONS", BOUND)
    answer = json.loads(browser.answer(json.dumps({"task": "odds", "about": {"battle": LARGE}})))
    assert ("refused", BOUND) == (answer["status"], answer["reply"]["bound"])


def test_a_battle_too_large_for_a_phone_is_sampled() -> None:
    about = {"battle": LARGE, "attacker": "random", "defender": "random", "n": 100}
    answer = json.loads(browser.answer(json.dumps({"task": "simulate", "about": about})))
    assert ("done", 100) == (answer["status"], answer["reply"]["n"])


def rules_of(name: str) -> bytes:
    return (TRAP / "__init__.py").read_bytes().replace(b'name="trap"', f'name="{name}"'.encode())


def zipped(files: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return packed.getvalue()


def locked(packed: bytes) -> bytes:
    """The same zip, marked as one with a password."""
    marked = bytearray(packed)
    marked[packed.find(b"PK\3\4") + 6] |= 1
    marked[packed.find(b"PK\1\2") + 8] |= 1
    return bytes(marked)


def titles() -> dict[str, str]:
    """Every system's title, as the page asks for them."""
    answer = json.loads(browser.answer(json.dumps({"task": "systems", "about": {}})))
    return {one["name"]: one["title"] for one in answer["reply"]["systems"]}


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "__path__", list(systems.__path__))


@pytest.mark.usefixtures("forgotten")
def test_a_system_of_ones_own_is_added_from_a_folder_or_a_zip(tmp_path: Path) -> None:
    packed = zipped({"mine/zipped_trap/__init__.py": rules_of("zipped_trap")})
    added = {
        "folder_trap": {"folder_trap/__init__.py": rules_of("folder_trap")},
        "zipped_trap": {"mine.ZIP": packed},
        "windows_trap": {"mine.zip": zipped({"mine\\windows_trap\\__init__.py": rules_of("windows_trap")})},
    }
    for name, files in added.items():
        told = json.loads(browser.add_system(files, str(tmp_path)))
        assert {"status": "done", "reply": {"names": [name]}} == told
        assert name in systems.names()


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"notes/readme.txt": b""}, "no system"),
        ({"wrong.zip": b"no zip"}, "not a zip"),
        ({"../outside/__init__.py": b""}, "no system"),
        ({"broken_system/__init__.py": b"1 / 0"}, "ZeroDivisionError"),
        ({"leaving/__init__.py": b"raise SystemExit(1)"}, "SystemExit"),
        ({"no_system/__init__.py": b"SYSTEM = 1"}, "is no System"),
        ({"other_name/__init__.py": rules_of("trap")}, "expected the same name"),
        ({"ranks/__init__.py": rules_of("ranks")}, "there is a system called ranks already"),
        ({"large/__init__.py": bytes(browser.LARGEST_SYSTEM + 1)}, "too large"),
        ({"locked.zip": locked(zipped({"locked/__init__.py": b""}))}, "password"),
    ],
)
def test_what_is_no_system_is_refused_with_the_reason(files: dict[str, bytes], reason: str, tmp_path: Path) -> None:
    known = titles()
    told = json.loads(browser.add_system(files, str(tmp_path)))
    assert "refused" == told["status"]
    assert reason in told["reply"]["faults"][0]["message"]
    assert known == titles()


@pytest.mark.usefixtures("forgotten")
def test_a_system_that_is_added_again_is_replaced_unless_the_new_one_is_broken(tmp_path: Path) -> None:
    rules = rules_of("edited")
    newer = rules.replace(b'"A trap"', b'"A newer trap"')
    for content, expected in ((rules, "A trap"), (newer, "A newer trap"), (b"1 / 0", "A newer trap")):
        browser.add_system({"edited/__init__.py": content}, str(tmp_path))
        assert expected == titles()["edited"]


@pytest.mark.usefixtures("forgotten")
def test_a_play_of_a_system_that_was_replaced_follows_the_new_rules(tmp_path: Path) -> None:
    units = [{"id": "a", "side": "red"}, {"id": "b", "side": "blue"}]
    battle = {"system": "edited", "units": units, "when": "yes", "what": "fail"}
    prompts = []
    for question in (b"Spring the trap?", b"Spring it now?"):
        rules = rules_of("edited").replace(b"Spring the trap?", question)
        browser.add_system({"edited/__init__.py": rules}, str(tmp_path))
        answer = json.loads(browser.answer(json.dumps({"task": "play", "about": {"battle": battle}})))
        prompts.append(answer["reply"]["question"]["prompt"])
    assert ["Spring the trap?", "Spring it now?"] == prompts
