"""Progress: over the line before where somebody watches, a plain line now and then elsewhere."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paddle_lite.core.progress import bars
from paddle_lite.core.progress.streams import is_watched, kind_of
from paddle_lite.utils import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_where_a_stream_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.delenv("PYCHARM_HOSTED", raising=False)
    assert kind_of(Terminal()) == "terminal"
    assert kind_of(io.StringIO()) == "memory"
    with open(tmp_path / "log", "w") as file:
        assert kind_of(file) == "log"
        assert not is_watched(file)
    assert kind_of(file) is kind_of(None) is None
    monkeypatch.setenv("TERM", "dumb")
    assert kind_of(Terminal()) == "memory"
    monkeypatch.setitem(sys.modules, "IPython", sys)
    notebook = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
    assert kind_of(notebook) == "notebook"
    assert is_watched(notebook)
    monkeypatch.setenv("PYCHARM_HOSTED", "1")
    stream = io.StringIO()
    monkeypatch.setattr(sys, "__stdout__", stream)
    assert kind_of(stream) == "terminal"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the bars."""
    now = [0.0]
    monkeypatch.setattr(bars.time, "monotonic", lambda: now[0])
    return now


def test_a_log_gets_a_line_each_10_seconds_and_the_last(clock: list[float]) -> None:
    stream = io.StringIO()
    bar = progress_bar(range(100), "epoch 1/2", unit="batch", file=stream)
    for step in bar:
        clock[0] += 0.25
        bar.set_postfix(loss=1 / (1 + step), name="a", refresh=False)
    first, second, last = stream.getvalue().splitlines()
    assert first == "epoch 1/2:  40% 40/100 [00:10<00:15,  4.00batch/s, loss=0.025, name=a]"
    assert second.startswith("epoch 1/2:  80% 80/100 [00:20<00:05")
    assert last.startswith("epoch 1/2: 100% 100/100 [00:25<00:00")


def test_a_bar_whose_loop_ends_early_or_fails_says_how_far_it_came(clock: list[float]) -> None:
    stream = io.StringIO()
    with (
        pytest.raises(KeyError),
        progress_bar(desc="file", total=4_000_000, unit="B", unit_scale=True, file=stream) as bar,
    ):
        bar.update(3_000_000)
        raise KeyError
    bar.close()
    assert stream.getvalue().splitlines() == ["file:  75% 3.00M/4.00M [00:00<?, ?B/s]"]
    stream = io.StringIO()
    each = iter(progress_bar(iter("abc"), file=stream))
    assert next(each) == "a"
    assert next(each) == "b"
    each.close()
    assert stream.getvalue() == "1it [00:00, ?it/s]\n"


def test_a_terminal_gets_the_bar_of_tqdm() -> None:
    stream = Terminal()
    assert list(progress_bar([1, 2], "adding", file=stream)) == [1, 2]
    assert "\r" in stream.getvalue()
    assert "adding: 100%" in stream.getvalue()


def test_work_goes_on_when_nobody_reads_any_more() -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> Any:
            raise BrokenPipeError

    assert sum(progress_bar([1, 2], file=Closed())) == 3


def test_a_file_gets_no_carriage_return() -> None:
    code = "import sys; from paddle_lite.utils import progress_bar\nfor i in progress_bar(range(3000), file=sys.stdout): pass"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.startswith(b"100% 3000/3000 [")
    assert done.stdout.count(b"\r") == done.stdout.count(b"\r\n")
    assert done.stderr == b""
