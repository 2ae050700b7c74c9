"""A worker that loads what it will need goes on, whatever happens meanwhile."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from grognard import systems


def test_a_system_that_breaks_breaks_no_worker(tmp_path: Path) -> None:
    shutil.copytree(systems.folders("ranks")[0], tmp_path / "aaa")
    for module in (tmp_path / "aaa").rglob("*.py"):
        module.write_text(module.read_text().replace('"ranks"', '"aaa"').replace("systems.ranks", "systems.aaa"))
    with (tmp_path / "aaa" / "rules.py").open("a") as rules:
        rules.write("\n\ndef start(setup: object) -> None:\n    raise RuntimeError\n")
    asked = json.dumps({"ask": "check", "about": {"battle": dict(systems.find("ranks").example)}}).encode()
    process = subprocess.Popen(
        [sys.executable, "-m", "grognard.server.worker", "1000", str(2 * 1024**3)],
        env=os.environ | {systems.FOLDERS: str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdin
        assert process.stdout
        assert b"ready\n" == process.stdout.readline()
        time.sleep(1)  # nobody asks, so it looks at the broken one first
        process.stdin.write(b"ask %d\n%b" % (len(asked), asked))
        process.stdin.flush()
        status, _, length = process.stdout.readline().split()
        assert (b"200", True) == (status, json.loads(process.stdout.read(int(length)))["legal"])
        process.stdin.close()
