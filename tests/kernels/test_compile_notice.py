"""Who watches a terminal or a notebook sees what is being compiled, when it takes long, and what was, in the end."""

import io
import re
import sys
import time
from types import SimpleNamespace

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
    progress.start("conv", "conv")
    progress.start("helper of conv", "helper of conv")
    progress.end("helper of conv")
    wait_for(lambda: progress.shown)
    assert terminal.screen() == ["paddle_lite: compiling kernels, once for this machine: conv (0 s)"]
    progress.end("conv")
    wait_for(lambda: not progress.shown)
    first, rest = terminal.screen()
    assert first.startswith("paddle_lite: 1 kernel compiled in 0.") and "the next process finds them in" in first
    assert rest == ""


def test_the_line_goes_when_the_compilation_ends_and_counts_the_next_one(monkeypatch):
    terminal = watched(monkeypatch, pause=60)
    progress = Progress()
    progress.start("first", "first")
    wait_for(lambda: progress.shown)
    progress.end("first")
    assert terminal.screen() == [""]
    progress.start("second", "second")
    wait_for(lambda: terminal.screen()[0].endswith("machine: 1 done, second (0 s)"))
    progress.end("second")
    progress.finish()  # as at the end of the program
    assert terminal.screen()[0].startswith("paddle_lite: 2 kernels compiled in ")
    assert progress._timer is None


def test_where_nothing_is_kept_no_place_is_named(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    terminal = watched(monkeypatch, pause=60)
    progress = Progress()
    progress.start("conv", "conv")
    wait_for(lambda: progress.shown)
    progress.end("conv")
    progress.finish()
    assert terminal.screen()[0].endswith(" s")


def test_many_short_ones_add_up(monkeypatch):
    terminal = watched(monkeypatch, patience=0.4, pause=60)
    progress = Progress()
    for _ in range(100):
        progress.start("short", "short")
        time.sleep(0.02)
        progress.end("short")
        if progress.shown:
            break
    assert progress.count >= 2 and "short" in terminal.getvalue()


def test_a_short_compilation_says_nothing(monkeypatch):
    terminal = watched(monkeypatch, patience=60.0)
    progress = Progress()
    progress.start("short", "short")
    progress.tick()
    progress.end("short")
    progress.finish()
    assert terminal.getvalue() == "" and progress._timer is None


def test_a_long_name_does_not_break_the_line(monkeypatch):
    terminal = watched(monkeypatch)
    progress = Progress()
    progress.start("long", "a_name_of_many_letters" * 5)
    wait_for(lambda: progress.shown)
    assert len(terminal.screen()[0]) == compile_notice.WIDTH
    progress.end("long")


def test_a_file_gets_one_line_in_the_whole_process(monkeypatch, tmp_path):
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    with open(tmp_path / "log", "w+") as stream:
        watched(monkeypatch, stream=stream)
        progress = Progress()
        for kernel in ("first", "second"):
            progress.start(kernel, kernel)
            progress.tick()
            progress.tick()
            progress.end(kernel)
            progress.finish()
        text = (tmp_path / "log").read_text()
    assert re.fullmatch(
        "paddle_lite: compiling kernels, once for this machine; the next process finds them in [^\r\n]*\n", text
    )


def test_a_stream_in_memory_is_told_nothing(monkeypatch):
    stream = watched(monkeypatch, stream=io.StringIO())
    progress = Progress()
    progress.start("conv", "conv")
    progress.tick()
    progress.end("conv")
    progress.finish()
    assert stream.getvalue() == ""


class Kernel:
    """What a notebook shows: the outputs of its cells, as the messages of IPython's display build them."""

    def __init__(self, monkeypatch):
        self.cell, self.outputs = 1, {}
        shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(execution_count=self.cell))
        monkeypatch.setitem(sys.modules, "IPython", shell)
        monkeypatch.setitem(
            sys.modules, "IPython.display", SimpleNamespace(display=self.display, update_display=self.update)
        )
        self.stream = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()

    def display(self, data, *, raw, display_id):
        assert raw and display_id not in self.outputs
        self.outputs[display_id] = (self.cell, data["text/plain"])

    def update(self, data, *, raw, display_id):
        assert raw
        self.outputs[display_id] = (self.outputs[display_id][0], data["text/plain"])


def test_a_notebook_shows_a_line_that_goes_away(monkeypatch):
    kernel = Kernel(monkeypatch)
    watched(monkeypatch, stream=kernel.stream, pause=60)
    progress = Progress()
    line = "paddle_lite: compiling kernels, once for this machine: "
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    progress.start("conv", "conv")
    wait_for(lambda: list(kernel.outputs.values()) == [(1, f"{line}conv (0 s)")])
    progress.end("conv")
    assert list(kernel.outputs.values()) == [(1, "")]
    progress.start("pool", "pool")
    wait_for(lambda: list(kernel.outputs.values()) == [(1, f"{line}1 done, pool (0 s)")])
    progress.end("pool")
    kernel.cell = 2
    progress.start("softmax", "softmax")
    wait_for(lambda: list(kernel.outputs.values()) == [(1, ""), (2, f"{line}2 done, softmax (0 s)")])
    progress.end("softmax")
    progress.finish()
    assert list(kernel.outputs.values()) == [(1, ""), (2, "")]
    assert kernel.stream.getvalue() == ""


def test_a_compilation_that_was_interrupted_has_ended(monkeypatch):
    progress = Progress()
    monkeypatch.setattr(compile_notice, "_progress", lambda: progress)
    with pytest.raises(KeyboardInterrupt), compile_notice.compiling("conv"):
        raise KeyboardInterrupt
    assert not progress._running and progress.count == 1
    monkeypatch.setattr(progress, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), compile_notice.compiling("conv"):
        raise AssertionError("it did not start")
    assert not progress._running and progress.count == 1


def interrupted(*args):
    raise KeyboardInterrupt


def test_a_program_without_stderr_is_told_nothing(monkeypatch):
    watched(monkeypatch)
    monkeypatch.setattr(compile_notice.sys, "stderr", None)
    progress = Progress()
    progress.start("conv", "conv")
    progress.tick()
    progress.end("conv")
    progress.finish()
    assert not progress.shown


@pytest.mark.parametrize("error", [BrokenPipeError(32, "Broken pipe"), ValueError("I/O operation on closed file")])
def test_a_program_goes_on_where_nobody_reads(monkeypatch, error):
    class Closed(Terminal):
        def write(self, text):
            raise error

    watched(monkeypatch, stream=Closed())
    progress = Progress()
    progress.start("conv", "conv")
    progress.tick()
    progress._displays[compile_notice.Terminal]._length = 5  # as if it had been shown before
    progress.end("conv")
    progress.finish()
    assert progress.count == 1 and not progress.shown
