"""Tasks that do what no task should, for a worker to survive."""

import os
import sys
from typing import Any


def task(about: dict[str, Any], progress: Any) -> dict[str, Any]:
    """Do as it says."""
    match about["do"]:
        case "exit":
            sys.exit(3)
        case "interrupt":
            raise KeyboardInterrupt
        case "large":
            bytearray(2**40)
        case "recurse":
            return task(about, progress)
        case "not a number":
            return {"value": float("nan")}
        case "not JSON":
            return {"value": object()}
        case "many digits":
            return {"value": 10**5_000}
        case "print":
            print("done plain 2\n{}")  # noqa: T201
        case "size":
            from grognard.core.errors import TooLarge

            raise TooLarge("a battle", 10**5_000, 10)
    return {"process": os.getpid()}


TASKS = {"task": task}
