"""A terminal is told once that kernels are being compiled, and only when it takes long."""

import io
import time

from paddle_lite.kernels import compile_notice


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watched(monkeypatch, patience):
    """A terminal in place of stderr (set in the test itself: pytest puts its own there before each phase)."""
    screen = Terminal()
    monkeypatch.setattr(compile_notice.sys, "stderr", screen)
    monkeypatch.setattr(compile_notice, "PATIENCE", patience)
    return screen


def wait_for(condition):
    for _ in range(200):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def test_a_long_compilation_is_announced_once(monkeypatch):
    terminal = watched(monkeypatch, 0.05)
    stopwatch = compile_notice.Stopwatch()
    stopwatch.start()
    stopwatch.start()  # compiling a kernel compiles its helpers
    stopwatch.end()
    wait_for(lambda: "compiling kernels" in terminal.getvalue())
    stopwatch.end()
    stopwatch.start()
    stopwatch.end()
    assert terminal.getvalue().count("\n") == 1 and stopwatch.total > 0


def test_many_short_ones_add_up(monkeypatch):
    terminal = watched(monkeypatch, 0.0)
    stopwatch = compile_notice.Stopwatch()
    stopwatch.start()
    wait_for(lambda: stopwatch.said)
    stopwatch.end()
    assert "once for this machine" in terminal.getvalue()


def test_a_short_compilation_says_nothing(monkeypatch):
    terminal = watched(monkeypatch, 60.0)
    stopwatch = compile_notice.Stopwatch()
    stopwatch.start()
    stopwatch.end()
    assert terminal.getvalue() == "" and stopwatch._timer is None


def test_a_file_is_told_nothing(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(compile_notice.sys, "stderr", log)
    compile_notice.Stopwatch().say()
    assert log.getvalue() == ""
