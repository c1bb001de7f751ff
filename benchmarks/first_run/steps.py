"""The training loop of this folder's scripts: it prints when some of the steps ended.

It runs under Python 3.7, with no more than the script's own framework.
"""

import os
import sys
import time


def train(step):
    """Call step(k) for k = 0, 1, ...; print wall seconds, CPU seconds and the loss at the ends of chosen steps.

    The command line names the numbers of steps in ascending order, 0 for what comes before them. Both times start with the process. Its parent gives its
    start in the environment variable FIRST_RUN_START; without it, wall seconds count from the import of this module.

    Args:
        step: a function from the number of the step to its loss, a number or an array of one.
    """
    done, loss = 0, 0.0
    for mark in [int(word) for word in sys.argv[1:]] or [5]:
        while done < mark:
            loss = step(done)
            done += 1
        wall = time.time() - START
        cpu = sum(os.times()[:4])  # of this process, and of those that it has waited for
        print("steps", mark, "wall", round(wall, 3), "cpu", round(cpu, 3), "loss", float(loss), flush=True)


START = float(os.environ.get("FIRST_RUN_START", time.time()))
