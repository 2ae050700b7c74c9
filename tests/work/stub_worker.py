"""A worker that does as it is told: it replies with its process id, sleeps for ever, dies, or never gets ready."""

import os
import sys
import time

asked, answers = sys.stdin.buffer, sys.stdout.buffer
if "stillborn" not in sys.argv:
    answers.write(b"ready\n")
    answers.flush()
    while line := asked.readline():
        if line == b"stop\n":
            continue
        question = asked.read(int(line.split()[1]))
        if question == b"sleep":
            time.sleep(10_000)
        if question == b"die":
            os._exit(1)
        if question == b"die half way":
            answers.write(b"done plain 100\nhalf")
            answers.flush()
            os._exit(1)
        body = str(os.getpid()).encode()
        answers.write(b"done plain %d\n" % len(body) + body)
        answers.flush()
