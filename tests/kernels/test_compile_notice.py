"""Who watches a terminal or a notebook sees what is being compiled, when it takes long, and what was, in the end."""

import io
import time

import pytest

from paddle_lite.kernels import compile_notice
from paddle_lite.kernels.compile_notice import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def screen(self):
        """The lines as a terminal shows them."""
        lines = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            lines.append(shown.rstrip())
        return lines


def watched(monkeypatch, patience=0.0, tick=0.01, pause=0.01, stream=None):
    """A terminal in place of stderr (set in the test itself: pytest puts its own there before each phase)."""
    stream = Terminal() if stream is None else stream
    monkeypatch.setattr(compile_notice.sys, "stderr", stream)
    for name, value in (("PATIENCE", patience), ("TICK", tick), ("PAUSE", pause)):
        monkeypatch.setattr(compile_notice, name, value)
    return stream


def wait_for(condition):
    for _ in range(500):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def test_a_long_compilation_is_shown_and_summed_up(monkeypatch):
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    terminal = watched(monkeypatch)
    progress = Progress()
    progress.start("conv")
    progress.start("helper of conv")
    progress.end()
    wait_for(lambda: progress.shown)
    assert terminal.screen() == ["paddle_lite: compiling kernels, once for this machine: conv (0 s)"]
    progress.end()
    wait_for(lambda: not progress.shown)
    first, rest = terminal.screen()
    assert first.startswith("paddle_lite: 1 kernel compiled in 0.") and "the next process finds them in" in first
    assert rest == ""


def test_the_line_goes_when_the_compilation_ends_and_counts_the_next_one(monkeypatch):
    terminal = watched(monkeypatch, pause=60)
    progress = Progress()
    progress.start("first")
    wait_for(lambda: progress.shown)
    progress.end()
    assert terminal.screen() == [""]
    progress.start("second")
    wait_for(lambda: terminal.screen()[0].endswith("machine: 1 done, second (0 s)"))
    progress.end()
    progress.finish()  # as at the end of the program
    assert terminal.screen()[0].startswith("paddle_lite: 2 kernels compiled in ")
    assert progress._timer is None


def test_where_nothing_is_kept_no_place_is_named(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    terminal = watched(monkeypatch, pause=60)
    progress = Progress()
    progress.start("conv")
    wait_for(lambda: progress.shown)
    progress.end()
    progress.finish()
    assert terminal.screen()[0].endswith(" s")


def test_many_short_ones_add_up(monkeypatch):
    terminal = watched(monkeypatch, patience=0.05, pause=60)
    progress = Progress()
    for _ in range(100):
        progress.start("short")
        time.sleep(0.02)
        progress.end()
        if progress.shown:
            break
    assert progress.count > 2 and "short" in terminal.getvalue()


def test_a_short_compilation_says_nothing(monkeypatch):
    terminal = watched(monkeypatch, patience=60.0)
    progress = Progress()
    progress.start("short")
    progress.tick()
    progress.end()
    progress.finish()
    assert terminal.getvalue() == "" and progress._timer is None


def test_a_long_name_does_not_break_the_line(monkeypatch):
    terminal = watched(monkeypatch)
    progress = Progress()
    progress.start("a_name_of_many_letters" * 5)
    wait_for(lambda: progress.shown)
    assert len(terminal.screen()[0]) == compile_notice.WIDTH
    progress.end()


def log(module):
    """A stream that is no terminal, of a class in the given module."""
    return type("Stream", (io.StringIO,), {"__module__": module})()


@pytest.mark.parametrize(("module", "told"), [("ipykernel.iostream", True), ("io", False)])
def test_a_notebook_is_told_and_a_file_is_not(monkeypatch, module, told):
    stream = watched(monkeypatch, stream=log(module))
    progress = Progress()
    progress.start("conv")
    progress.tick()
    progress.end()
    progress.finish()
    assert ("1 kernel compiled" in stream.getvalue()) is told
    assert told or stream.getvalue() == ""


def test_a_program_without_stderr_is_told_nothing(monkeypatch):
    watched(monkeypatch)
    monkeypatch.setattr(compile_notice.sys, "stderr", None)
    progress = Progress()
    progress.start("conv")
    progress.tick()
    progress.end()
    progress.finish()
    assert not progress.shown
