"""The page without a server and without a network, after one visit: it comes to what the command does."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from zipfile import ZipFile

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from grognard import api, site, systems
from grognard.core.errors import GrognardError
from grognard.files import battle, load
from grognard.files.examples import examples
from grognard.report import page
from grognard.solver.solution import solve
from tests.browser.conftest import gathering
from tests.browser.hosting import BELOW, Host
from tests.browser.people import Person
from tests.browser.serving import PATIENCE, Server, command
from tests.browser.shown import signed
from tests.browser.tables import (
    Table,
    answer,
    begin_turn,
    choose_example,
    new_battle,
    open_file,
    opened,
    play_turn,
    saved,
)
from tests.browser.test_battles import machine_play_is_the_commands, odds_are_the_commands, typed_play_is_the_commands
from tests.docs.blocks import write_files
from tests.soak import cases, trying
from tests.test_site import LARGE

BATTLES = cases(10)
"""So many random battles of every system."""
SMALL = 300
"""Positions of a random battle, at most."""
EXAMPLES = Path(__file__).parents[2] / "examples"
SIXTH = Path(__file__).parents[2] / "docs" / "sixth-system.md"
TRAP = Path(__file__).parents[1] / "server" / "systems" / "trap"
READY = "In this browser"
ASK = """
async ([home, script, requests]) => {
  const worker = new Worker(home + script, { type: 'module' })
  const answers = []
  worker.postMessage({ kind: 'start', home })
  return new Promise((done, failed) => {
    worker.onmessage = ({ data }) => {
      if (data.kind === 'failed') failed(new Error(data.message))
      if (data.kind === 'ready') requests.forEach((request, id) => worker.postMessage({ kind: 'run', id, request }))
      if (data.kind === 'answer') answers[data.id] = data.text
      if (data.kind === 'answer' && data.id === requests.length - 1) done(answers)
    }
  })
}
"""
"""Asks the page's own worker."""
MISSING = """
async () => {
  const name = (await caches.keys()).find((name) => name !== 'grognard-snapshot')
  const cache = await caches.open(name ?? 'none')
  const list = await cache.match('files.json')
  return list ? Object.keys(await list.json()).length + 1 - (await cache.keys()).length : null
}
"""
"""How many files are not kept yet."""
MARK = """
async (content) => {
  const cache = await caches.open('grognard-snapshot')
  const [key] = await cache.keys()
  const body = content ?? (await (await cache.match(key)).arrayBuffer())
  await cache.put(key, new Response(body, { headers: { marked: 'yes' } }))
}
"""
"""Marks the snapshot that is kept, and may replace what is in it."""
IS_MARKED = """
async () => {
  const cache = await caches.open('grognard-snapshot')
  const [key] = await cache.keys()
  return key ? (await cache.match(key)).headers.has('marked') : null
}
"""
VERSIONS = "caches.keys().then((names) => names.filter((name) => name !== 'grognard-snapshot').length)"


@pytest.fixture
def host(built_page: None, tmp_path: Path) -> Iterator[Host]:
    started = Host(tmp_path / "web")
    started.put()
    yield started
    started.stop()


@pytest.fixture
def guest(browser: Browser, host: Host) -> Iterator[Person]:
    """Somebody who has been there once, at a host of their own that may change."""
    with gathering(browser, host) as come:
        person = come()
        visit(person)
        yield person


@pytest.fixture(scope="module")
def lasting_host(built_page: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    started = Host(tmp_path_factory.mktemp("web"))
    started.put()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def regular(browser: Browser, lasting_host: Host) -> Iterator[Person]:
    """Somebody whose first visit, which takes long, is enough for many tests."""
    with gathering(browser, lasting_host) as come:
        person = come()
        visit(person)
        yield person


@pytest.fixture
def visitor(regular: Person, lasting_host: Host) -> Iterator[Person]:
    """Somebody who has been there before, and of whom nothing is kept but the page itself."""
    for tab in regular.context.pages:
        tab.close()
    regular.context.set_offline(False)
    regular.url, regular.page = lasting_host.url, regular.context.new_page()
    address = {"origin": lasting_host.url.removesuffix(f"/{BELOW}"), "storageTypes": "local_storage"}
    regular.context.new_cdp_session(regular.page).send("Storage.clearDataForOrigin", address)
    come_back(regular)
    yield regular
    troubles, regular.troubles[:] = regular.troubles[:], []
    assert [] == troubles


def visit(person: Person) -> None:
    """Stay until the engine is loaded, and everything is kept."""
    come_back(person)
    await_kept(person.page)


def come_back(person: Person) -> None:
    person.go()
    await_engine(person)


def await_engine(person: Person) -> None:
    expect(person.page.get_by_text(READY)).to_be_visible(timeout=5_000 * PATIENCE)


def await_kept(page: Page) -> None:
    """Wait until every file is kept, beside the list of them."""
    wait_until(page, MISSING, 0)


def wait_until(page: Page, script: str, value: object) -> None:
    """Wait until a script of the page comes to this value."""
    give_up = monotonic() + 5 * PATIENCE
    while page.evaluate(script) != value:
        assert monotonic() < give_up
        page.wait_for_timeout(100)


def test_without_a_network_a_battle_is_set_up_and_played_as_by_the_command(
    guest: Person, host: Host, tmp_path: Path
) -> None:
    host.stop()
    guest.context.set_offline(True)
    come_back(guest)
    table = choose_example(guest, "Guns on rifles")
    table.piece("rifles").click()
    table.number("strength").fill("3")
    table.button("Done").click()
    table.odds()
    file = saved(table, "TOML", tmp_path)
    odds_are_the_commands(table, file)
    typed_play_is_the_commands(table, file)
    machine_play_is_the_commands(table, file)


@pytest.mark.soak("the engine in a browser, against Python")
def test_without_a_network_every_example_and_random_battles_have_the_fractions_of_python(
    visitor: Person,
) -> None:
    fights = [one.source for name in systems.names() for one in examples(name)]
    fights += [fight for name in systems.names() for fight in random_battles(name)]
    requests = [json.dumps({"task": "odds", "about": {"battle": fight, "fractions": True}}) for fight in fights]
    (script,) = (path.relative_to(site.BUILT).as_posix() for path in site.BUILT.glob("assets/worker-*.js"))
    visitor.context.set_offline(True)
    responses = [json.loads(text) for text in visitor.page.evaluate(ASK, [f"{visitor.url}/", script, requests])]
    for fight, response in trying(zip(fights, responses, strict=True)):
        assert api.odds(battle(fight), fractions=True).to_dict() == response["reply"], fight


def test_without_a_network_a_report_is_the_commands(visitor: Person, tmp_path: Path) -> None:
    visitor.context.set_offline(True)
    table = choose_example(visitor, "Call in")
    table.odds()
    report = saved(table, "Report, HTML", tmp_path)
    assert page(load(saved(table, "TOML", tmp_path))) == report.read_text("utf-8")


def test_without_a_network_set_ups_are_compared(visitor: Person) -> None:
    visitor.context.set_offline(True)
    table = choose_example(visitor, "Call in")
    panel = table.dock("Compare")
    panel.get_by_role("button", name="Pin this set-up").click()
    table.piece("guards").click()
    strength = int(table.number("strength").input_value())
    table.button("less: strength").click()
    pinned = load(EXAMPLES / "supply" / "03-call-in.toml")
    (number,) = (place for place, unit in enumerate(pinned.source["units"]) if unit["id"] == "guards")
    values = [api.odds(one).value for one in (pinned, pinned.replace(f"units[{number}].strength", strength - 1))]
    before, after = map(float, values)
    row = panel.get_by_role("row").filter(has_text="Net losses (swing)").locator("td")
    expect(row).to_have_text([signed(before), signed(after), signed(after - before)])
    expect(panel.get_by_text(f"guards strength: {strength} → {strength - 1}")).to_be_visible()


def test_without_a_network_a_turn_has_its_plan_and_is_played_on_after_a_break(visitor: Person, tmp_path: Path) -> None:
    visitor.context.set_offline(True)
    table = choose_example(visitor, "The mortar fires once")
    planned = command("advise", saved(table, "TOML", tmp_path), "--plan")["plan"]["plan"]["attack"]
    lines = table.tab("Advice").get_by_role("region", name="Plan").get_by_role("listitem")
    expect(lines.first).to_have_text(f"Plan: {planned}")
    panel = begin_turn(table, "5")
    answer(panel)
    answer(panel)
    steps = panel.locator("ol > li").all_text_contents()
    visitor.page.reload()
    await_engine(visitor)
    expect(panel.locator("ol > li")).to_have_text(steps)
    play_turn(panel)
    expect(panel.get_by_role("region", name="Luck")).to_contain_text("Which attack is next?")


@pytest.mark.parametrize("name", ["frames/14-spot-then-fire", "assault/10-mortar-first", "frames/12-three-covers"])
def test_without_a_network_a_link_opens_as_it_was_shared(visitor: Person, name: str, tmp_path: Path) -> None:
    visitor.context.set_offline(True)
    source = load(EXAMPLES / f"{name}.toml").source
    if "turn" in source:
        source = source | {"turn": source["turn"] | {"shots": source["turn"]["shots"][:2]}}  # soon computed
    table, _ = open_file(visitor, source, tmp_path)
    shared = saved(table, "JSON", tmp_path)
    table.button("Share").click()
    link = table.sheet("Share").get_by_role("textbox", name="Link", exact=True).input_value()
    received = saved(opened(visitor.beside(link)), "JSON", tmp_path / "received")
    assert json.loads(shared.read_text("utf-8")) == json.loads(received.read_text("utf-8"))


def test_without_a_network_a_file_opens_as_it_was_saved(visitor: Person, tmp_path: Path) -> None:
    visitor.context.set_offline(True)
    table = choose_example(visitor, "Spot then fire")
    first, file = saved(table, "JSON", tmp_path), saved(table, "TOML", tmp_path)
    come_back(visitor)
    visitor.page.get_by_label("Battle file").set_input_files(file)
    again = saved(opened(visitor), "JSON", tmp_path / "again")
    assert json.loads(first.read_text("utf-8")) == json.loads(again.read_text("utf-8"))


def test_a_battle_too_large_for_a_phone_is_sampled_instead(visitor: Person, tmp_path: Path) -> None:
    visitor.context.set_offline(True)
    file = tmp_path / "large.json"
    file.write_text(json.dumps(LARGE))
    visitor.page.get_by_label("Battle file").set_input_files(file)
    expect(visitor.page.get_by_text("Too large to compute exactly.")).to_be_visible(timeout=5_000 * PATIENCE)
    visitor.page.get_by_role("button", name="Sample 10,000 battles", exact=True).click()
    visitor.page.get_by_role("button", name="Sample 10,000 battles with random decisions").click(
        timeout=5_000 * PATIENCE
    )
    expect(visitor.page.get_by_text("sampled: 10,000 battles")).to_be_visible()


def test_work_that_nobody_waits_for_is_ended_with_its_worker(visitor: Person, tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    file.write_text(json.dumps(LARGE))
    (worker,) = visitor.page.workers
    visitor.page.get_by_label("Battle file").set_input_files(file)
    expect(visitor.page.get_by_text("Computing the odds …")).to_be_visible()
    with worker.expect_event("close"):
        visitor.page.get_by_role("link", name="grognard").click()
        choose_example(visitor, "Guns on rifles")  # which waits for its odds
    assert 1 == len(visitor.page.workers)


def test_it_can_be_installed_below_an_address_of_its_own(visitor: Person) -> None:
    devtools = visitor.context.new_cdp_session(visitor.page)
    manifest = devtools.send("Page.getAppManifest")
    assert (f"{visitor.url}/manifest.webmanifest", []) == (manifest["url"], manifest["errors"])
    reasons = [one["errorId"] for one in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [] == [reason for reason in reasons if reason != "in-incognito"]  # every test has a profile of its own


def test_the_first_visit_shows_the_page_at_once_and_how_far_the_engine_is(browser: Browser, host: Host) -> None:
    with gathering(browser, host) as come:
        person = come()
        host.has_engine.clear()
        person.go()
        expect(person.page.get_by_role("heading", level=1)).to_be_visible()
        expect(person.page.get_by_role("progressbar")).to_be_visible()
        host.has_engine.set()
        await_engine(person)
        expect(person.page.get_by_role("progressbar")).to_have_count(0)


def random_battles(system: str) -> list[dict[str, Any]]:
    """Examples with some of their numbers changed, that are still battles, and not too large."""
    random, found = Random(system), list[dict[str, Any]]()
    sources = [one.source for one in examples(system)]
    while len(found) < BATTLES:
        changed = change(random.choice(sources), random)
        try:
            solve(battle(changed), bound=SMALL)
        except GrognardError:
            continue
        found.append(changed)
    return found


def change(data: Any, random: Random) -> Any:
    if isinstance(data, dict):
        return {key: change(value, random) for key, value in data.items()}
    if isinstance(data, list):
        return [change(value, random) for value in data]
    return random.randint(0, data + 2) if type(data) is int and random.random() < 0.2 else data


def test_a_later_visit_asks_for_nothing(visitor: Person, lasting_host: Host) -> None:
    lasting_host.asked.clear()
    come_back(visitor)
    choose_example(visitor, "Call in").odds()
    assert {path for path in lasting_host.asked if not path.endswith("/sw.js")} == set()


def test_a_later_visit_starts_from_a_snapshot_and_makes_a_spoilt_one_anew(visitor: Person) -> None:
    wait_until(visitor.page, IS_MARKED, False)
    visitor.page.evaluate(MARK)
    come_back(visitor)
    visitor.page.wait_for_timeout(4_000)  # a start without it would keep another by then
    assert visitor.page.evaluate(IS_MARKED)
    visitor.page.evaluate(MARK, "spoilt")
    come_back(visitor)
    wait_until(visitor.page, IS_MARKED, False)


def test_an_update_replaces_the_page_and_loses_no_battle(guest: Person, host: Host, tmp_path: Path) -> None:
    table = choose_example(guest, "Call in")
    table.piece("guards").click()
    strength = int(table.number("strength").input_value())
    table.button("more: strength").click()
    newer = tmp_path / "newer"
    shutil.copytree(site.BUILT, newer)
    index = (newer / "index.html").read_text("utf-8")
    (newer / "index.html").write_text(index.replace("Combat in", "Newer combat in"), "utf-8")
    host.put(newer)

    guest.go()
    guest.page.get_by_role("button", name="Update").click()
    guest.page.wait_for_function("document.documentElement.outerHTML.includes('Newer combat')")
    guest.page.get_by_role("link", name="Call in").click()
    await_engine(guest)
    opened(guest).piece("guards").click()
    expect(table.number("strength")).to_have_value(str(strength + 1))
    assert 1 == guest.page.evaluate(VERSIONS)


def test_an_open_page_goes_on_when_its_server_is_gone(browser: Browser, built_page: None, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    with gathering(browser, server) as come:
        person = come()
        table = new_battle(person, "ranks")
        expect(person.page.get_by_text("On the server")).to_be_visible()
        await_kept(person.page)
        server.stop()
        table.page.get_by_role("spinbutton", name=re.compile("^units.*Blue$")).fill("3")
        await_engine(person)
        expect(Table(person).odds()).to_be_visible()


@pytest.mark.parametrize("address", ["/", "/#embed&e=ranks/02-three-against-four"])
def test_axe_finds_nothing_in_a_page_without_a_server(visitor: Person, address: str) -> None:
    visitor.go("/?")  # another address that differs in its fragment alone would not be loaded
    visitor.go(address)
    await_engine(visitor)
    visitor.page.evaluate(AXE_SCRIPT)
    found = visitor.page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [] == [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]]


def test_a_battle_inside_another_page_has_its_odds_and_a_link(visitor: Person, lasting_host: Host) -> None:
    around = lasting_host.folder / "games" / "around.html"
    place = '<div data-grognard="e=ranks/02-three-against-four"></div><script src="grognard/embed.js"></script>'
    around.write_text(f'<!doctype html><html lang="en"><title>Around</title><link rel="icon" href="data:,">{place}')
    visitor.url = visitor.url.removesuffix("/grognard")
    visitor.go("/around.html")
    frame = visitor.page.frame_locator("iframe")
    expect(frame.get_by_text("Net losses (swing) −1.25", exact=True)).to_be_visible(timeout=5_000 * PATIENCE)
    link = visitor.page.get_by_role("link", name="Open this battle in grognard")
    assert f"{lasting_host.url}/#e=ranks/02-three-against-four" == link.evaluate("(link) => link.href")


def test_a_system_of_ones_own_is_added_from_a_zip_and_kept(visitor: Person, tmp_path: Path) -> None:
    packed = tmp_path / "trap.zip"
    with ZipFile(packed, "w") as target:
        target.write(TRAP / "__init__.py", "trap/__init__.py")
    visitor.page.get_by_label("Battle file").set_input_files(packed)
    expect(visitor.page.get_by_role("button", name="New battle of A trap", exact=True)).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="New battle of A trap", exact=True)).to_be_visible(
        timeout=5_000 * PATIENCE
    )


def test_without_a_network_a_folder_that_is_dropped_is_a_system(visitor: Person) -> None:
    visitor.context.set_offline(True)
    devtools = visitor.context.new_cdp_session(visitor.page)
    carried = {"items": [], "files": [str(TRAP)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 300, "data": carried})
    expect(visitor.page.get_by_role("button", name="New battle of A trap", exact=True)).to_be_visible()


def test_an_engine_that_came_damaged_is_not_kept(browser: Browser, host: Host) -> None:
    engine = host.folder / BELOW / site.ENGINE
    whole = engine.read_bytes()
    engine.write_bytes(whole[: len(whole) // 2])
    with gathering(browser, host) as come:
        person = come()
        person.go()
        expect(person.page.get_by_text("The engine could not be loaded")).to_be_visible(timeout=5_000 * PATIENCE)
        engine.write_bytes(whole)
        come_back(person)
        expect(choose_example(person, "Call in").odds()).to_be_visible()


def test_an_update_of_any_file_replaces_it(guest: Person, host: Host, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    shutil.copytree(site.BUILT, newer)
    (newer / "embed.js").write_text("// newer\n")
    host.put(newer)
    guest.go()
    guest.page.get_by_role("button", name="Update").click()
    guest.page.wait_for_function(
        f"fetch('{host.url}/embed.js').then((sent) => sent.text()).then((text) => text === '// newer\\n')"
    )


GONE = "Unable to preload CSS|dynamically imported module"
"""What a browser says of a part of the page that is not there any more."""


def test_an_update_in_one_tab_leaves_the_other_usable(guest: Person, host: Host, tmp_path: Path) -> None:
    other = guest.beside("/")
    expect(other.page.get_by_role("heading", level=1)).to_be_visible()
    newer = tmp_path / "newer"
    shutil.copytree(site.BUILT, newer)
    rename_assets(newer)
    host.put(newer)
    guest.go()
    guest.page.get_by_role("button", name="Update").click()
    guest.page.wait_for_function("document.querySelector('script[src*=\".new.\"]') !== null")
    other.page.locator("details", has_text="Call in").locator("summary").click()
    other.page.get_by_role("button", name=re.compile("^Call in ")).click()
    opened(other)
    assert [] == [trouble for trouble in guest.troubles if not re.search(GONE, trouble)]
    guest.troubles.clear()


def rename_assets(page: Path) -> None:
    """Give the parts of the page other names, as if their content had changed."""
    parts = [path for path in (page / "assets").iterdir() if path.suffix in (".js", ".css")]
    names = {path.name: f"{path.stem}.new{path.suffix}" for path in parts}
    for path in [page / site.INDEX, *parts]:
        text = path.read_text("utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    for path in parts:
        path.rename(path.with_name(names[path.name]))


NOTHING_IS_KEPT = """
for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
  Object.defineProperty(globalThis, name, { get() { throw new DOMException('no', 'SecurityError') } })
delete Navigator.prototype.serviceWorker
"""
"""A private window at its strictest."""


def test_where_nothing_can_be_kept_the_page_works_and_says_so(browser: Browser, host: Host, tmp_path: Path) -> None:
    with gathering(browser, host) as come:
        person = come()
        person.context.add_init_script(NOTHING_IS_KEPT)
        come_back(person)
        table = choose_example(person, "Call in")
        expect(table.odds()).to_be_visible()
        expect(person.page.get_by_text("Not kept on this device")).to_be_visible()
        assert load(saved(table, "TOML", tmp_path)).source == load(EXAMPLES / "supply" / "03-call-in.toml").source


FILL = """
for (let size = 2 ** 20; size >= 1; size /= 2)
  try { for (let n = 0; ; n++) localStorage[`${size} ${n}`] = 'x'.repeat(size) } catch {}
"""
"""Leaves no room in the storage of the page."""


def test_where_the_storage_is_full_the_page_works_and_says_so(browser: Browser, host: Host) -> None:
    with gathering(browser, host) as come:
        person = come()
        devtools = person.context.new_cdp_session(person.page)
        devtools.send("Storage.overrideQuotaForOrigin", {"origin": host.url.removesuffix(f"/{BELOW}"), "quotaSize": 0})
        come_back(person)
        person.page.evaluate(FILL)
        table = choose_example(person, "Call in")
        expect(table.odds()).to_be_visible()
        expect(person.page.get_by_text("Not kept on this device")).to_be_visible()


def add_system(person: Person, folder: Path, name: str) -> None:
    """Add a system of one's own from a zip of its folder."""
    packed = folder.parent / f"{name}.zip"
    with ZipFile(packed, "w") as target:
        for path in folder.rglob("*.py"):
            target.write(path, f"{name}/{path.relative_to(folder)}")
    person.page.get_by_label("Battle file").set_input_files(packed)


def test_a_system_that_never_ends_can_be_stopped_wherever_it_is(visitor: Person, tmp_path: Path) -> None:
    page, chooser = visitor.page, visitor.page.get_by_label("Battle file")
    (tmp_path / "endless").mkdir()
    (tmp_path / "endless" / "__init__.py").write_text("while True: pass")
    add_system(visitor, tmp_path / "endless", "endless")
    page.get_by_role("button", name="Cancel").click()
    shutil.copytree(TRAP, tmp_path / "trap")
    add_system(visitor, tmp_path / "trap", "trap")
    expect(page.get_by_role("button", name="New battle of A trap", exact=True)).to_be_visible(timeout=5_000 * PATIENCE)

    units = [{"id": "a", "side": "red"}, {"id": "b", "side": "blue"}]
    file = tmp_path / "trap.json"
    file.write_text(json.dumps({"system": "trap", "units": units, "when": "yes", "what": "endless"}))
    chooser.set_input_files(file)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped before the odds were there.")).to_be_visible()
    panel = Table(visitor).tab("Play")
    panel.get_by_role("button", name="Play this attack").click(timeout=5_000 * PATIENCE)
    panel.get_by_role("button", name="Yes").click(timeout=5_000 * PATIENCE)
    panel.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("link", name="grognard").click()
    expect(choose_example(visitor, "Call in").odds()).to_be_visible()

    chooser.set_input_files(file)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    chooser.set_input_files(EXAMPLES / "supply" / "03-call-in.toml")
    expect(opened(visitor).odds()).to_be_visible()


def test_a_battle_of_a_system_of_ones_own_is_there_after_a_reload(visitor: Person, tmp_path: Path) -> None:
    write_files(SIXTH, tmp_path)
    add_system(visitor, tmp_path / "systems" / "risk", "risk")
    visitor.page.get_by_role("button", name="New battle of Risk", exact=True).click()
    opened(visitor)
    visitor.page.reload()
    opened(visitor)
    expect(visitor.page.get_by_text("There is no system called")).to_have_count(0)


def test_a_server_that_comes_again_is_used_again(browser: Browser, built_page: None, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    with gathering(browser, server) as come:
        person = come()
        table = new_battle(person, "ranks")
        await_kept(person.page)
        server.stop()
        table.page.get_by_role("spinbutton", name=re.compile("^units.*Blue$")).fill("3")
        await_engine(person)
        server.start()
        person.page.reload()
        opened(person)
        expect(person.page.get_by_text("On the server")).to_be_visible()
    server.stop()
