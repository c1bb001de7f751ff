"""Children of tests are processes like others: their words, their environment, how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import children
from tests.children import run, start

ARGUMENTS = "import os, sys; print(sys.argv[1:], sys.path[0], __name__, os.getcwd(), os.environ.get('OF_A_CHILD'))"


def test_a_text_a_script_and_a_module_find_their_words(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(f"{ARGUMENTS}\nprint(os.path.basename(__file__), sys.argv[0])")
    env = {**os.environ, "PYTHONPATH": str(children.ROOT), "OF_A_CHILD": "1"}
    for words in (("-c", ARGUMENTS), ("script.py",), (str(tmp_path / "script.py"),), ("-m", "script")):
        ours = run(*words, "a", 3, cwd=tmp_path, env=env)
        command = [sys.executable, *words, "a", "3"]
        theirs = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        assert (ours.returncode, ours.stderr, ours.stdout) == (0, "", theirs.stdout)


@pytest.mark.parametrize(
    ("code", "status", "errors"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("raise SystemExit('no')", 1, "no"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero"),
        ("import atexit, sys; atexit.register(print, 'at its end', file=sys.stderr)", 0, "at its end"),
        ("import threading, time, sys; threading.Timer(0.1, print, ['later'], {'file': sys.stderr}).start()", 0, "later"),
        ("import os; os.kill(os.getpid(), 9)", -9, ""),
        ("import signal; signal.raise_signal(signal.SIGTERM)", -15, ""),
        ("import signal; signal.raise_signal(signal.SIGINT)", 130, "KeyboardInterrupt"),
    ],
)  # fmt: skip
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_how_a_child_ends(code: str, status: int, errors: str) -> None:
    done = run("-c", code)
    assert done.returncode in (status, -2 if status == 130 else status)
    assert done.stderr.strip().endswith(errors) and bool(done.stderr) == bool(errors)


def test_several_run_at_once_and_can_be_killed() -> None:
    first, second = (start("-c", "print('up', flush=True); import time; time.sleep(100)") for _ in range(2))
    with pytest.raises(subprocess.TimeoutExpired):
        first.wait(0.01)
    os.kill(second.pid, signal.SIGTERM)
    assert second.wait() == -signal.SIGTERM
    first.kill()
    first.kill()
    assert first.wait() == -signal.SIGKILL


def test_both_outputs_can_be_one() -> None:
    child = start("-c", "import os; print('a', flush=True); os.write(2, b'b'); print('c')", joined=True)
    assert child.wait() == 0 and child.text == "a\nbc\n"


def test_no_two_draw_the_same_numbers() -> None:
    code = "import random, numpy; from paddle_lite.kernels.cpu.random import random as ours\n"
    code += "print(random.random(), numpy.random.rand(), ours.generator().random())"
    first, second = (run("-c", code).stdout.split() for _ in range(2))
    assert len({*first, *second}) == 6


def test_flags_of_the_environment_are_read() -> None:
    code = "from paddle_lite.fluid import get_flags; print(get_flags('FLAGS_plan_warm_up')['FLAGS_plan_warm_up'])"
    env = {**os.environ, "PYTHONPATH": str(children.ROOT)}
    assert [run("-c", code, env={**env, "FLAGS_plan_warm_up": each}).stdout.strip() for each in ("7", "8")] == [
        "7",
        "8",
    ]
