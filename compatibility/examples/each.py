"""Run each example of a JSON file in a process of its own: `each.py EXAMPLES RESULTS`.

RESULTS holds the exit status and the end of the output of each, by name. A process is a fork of this one, which has imported
Paddle, so that an example takes milliseconds. This file runs on Python 3.7, and on both sides.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings

LIMIT = 60.0  # seconds of an example
KEPT = 1500  # characters of its output


def run(source, folder):
    """Return the exit status and the output of an example that runs in a folder; 124 where it took too long."""
    log = os.path.join(folder, "output of the example")
    process = os.fork()
    if not process:
        os._exit(_child(source, folder, log))
    end = time.time() + LIMIT
    ended, status = os.waitpid(process, os.WNOHANG)
    while not ended and time.time() < end:
        time.sleep(0.005)
        ended, status = os.waitpid(process, os.WNOHANG)
    _kill(process)  # and what it has started
    if not ended:
        os.waitpid(process, 0)
        status = 124 << 8
    with open(log, errors="replace") as file:
        return (status >> 8) or (status & 127), file.read()[-KEPT:]


def _child(source, folder, log):
    os.setpgrp()
    os.chdir(folder)
    out = os.open(log, os.O_RDWR | os.O_CREAT)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
    try:
        exec(compile(source, "<example>", "exec"), {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = int(bool(end.code))
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _kill(group):
    with contextlib.suppress(OSError):  # it has ended
        os.killpg(group, signal.SIGKILL)


def main(examples, results):
    """Run the examples of a file."""
    import paddle
    import paddle.fluid
    import paddle.fluid.dygraph
    import paddle.fluid.layers  # noqa: F401 - each example finds them imported

    with open(examples) as file:
        sources = json.load(file)
    found = {}
    for name in sorted(sources):
        folder = tempfile.mkdtemp()
        found[name] = run(sources[name], folder)
        shutil.rmtree(folder, ignore_errors=True)
    with open(results, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
