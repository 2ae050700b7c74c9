"""A process that works out one chunk after the other: `python -m grognard.studies.sweeps.worker`.

It reads a line with the length of the plan, and the plan; then for each chunk a line with the length of its rows, and
the rows. It answers each with a line of two lengths and what they are of: numbers and texts; or, if something broke,
with −1 and the length of what broke. When its input ends, so does it.
"""

import os
import sys
import traceback


def main() -> None:
    """Answer until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints must not come between the answers
    asked = sys.stdin.buffer
    told = asked.read(int(asked.readline())).decode()
    from grognard.studies.sweeps.work import work_out

    while line := asked.readline():
        try:
            numbers, texts = work_out(told, asked.read(int(line)))
            answer = [b"%d %d\n" % (len(numbers), len(texts)), numbers, texts]
        except Exception:
            broke = traceback.format_exc().encode()
            answer = [b"-1 %d\n" % len(broke), broke]
        try:
            answers.writelines(answer)
            answers.flush()
        except BrokenPipeError:  # whoever asked is gone
            os._exit(1)


if __name__ == "__main__":
    main()
