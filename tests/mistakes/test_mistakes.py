"""What scripts, threads, logs and notebooks show for ordinary mistakes."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import threading
import traceback
import types
from pathlib import Path

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core import errors
from paddle_lite.core.guarded import boundary
from paddle_lite.core.tracebacks import is_ours
from paddle_lite.fluid.dygraph import guard, to_variable

sys.path.insert(0, str(Path(__file__).parent))
import mistakes_page as page
from ordinary_mistakes import MISTAKES


def test_there_are_25():
    assert len(MISTAKES) == 25 == len({mistake.title for mistake in MISTAKES})


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_script_shows_at_most_6_lines(mistake):
    lines = page.shown(mistake)
    marks = 0 if lines[-1].startswith("  at File") else 1  # Python 3.11 marks a part of the one line of the program
    assert len(lines) + marks <= 6, lines
    assert lines[1].startswith('  File "train.py"')
    assert not any("/paddle_lite/" in line for line in lines)


def test_the_page_has_them():
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), "run `python tests/mistakes/mistakes_page.py`"


def test_a_process_shows_what_the_page_has(tmp_path):
    mistake = next(each for each in MISTAKES if "another width" in each.title)
    script = tmp_path / page.FILE
    script.write_text(mistake.script)
    root = str(Path(paddle.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, page.FILE], cwd=tmp_path, env={"PYTHONPATH": root}, capture_output=True, text=True
    )
    assert ran.returncode == 1
    shown = [line for line in ran.stderr.replace(f"{tmp_path}/", "").splitlines() if line.strip(" ^~")]
    assert shown == page.shown(mistake)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.top = paddle.nn.Linear(3, 2)

    def forward(self, x):
        return self.top(x)


def wrong():
    with guard():
        Net()(to_variable(np.ones([4, 5], "float32")))


def ours(error):
    return [f for f in traceback.extract_tb(error.__traceback__) if is_ours(f.filename)]


def test_a_log_shows_one_frame_of_ours():
    written = io.StringIO()
    log = logging.Logger("wrong")
    log.addHandler(logging.StreamHandler(written))
    try:
        wrong()
    except errors.ShapeError as error:
        log.exception("a call")
        assert len(ours(error)) == 1
        assert error.__cause__ is None
    assert written.getvalue().count("/paddle_lite/imperative/") == 1
    assert "return self.top(x)" in written.getvalue()


def test_the_flag_shows_all():
    fluid.set_flags({"FLAGS_full_traceback": True})
    try:
        with pytest.raises(errors.ShapeError) as caught:
            wrong()
    finally:
        fluid.set_flags({"FLAGS_full_traceback": False})
    assert len(ours(caught.value)) > 5


def test_a_fault_of_paddle_lite_is_shown_in_full(monkeypatch):
    def broken(self, x):
        return np.ones(2)[5]

    scope = {"np": np}
    exec(compile("def broken(self, x):\n    return np.ones(2)[5]\n", errors.__file__, "exec"), scope)
    monkeypatch.setattr(paddle.nn.Linear, "forward", scope["broken"])
    with pytest.raises(IndexError) as caught:
        wrong()
    assert str(caught.value).startswith("Linear: x = Variable of shape") and "IndexError" in str(caught.value)
    assert [f.name for f in ours(caught.value.__cause__)] == ["_call", "broken"]


def test_an_error_of_the_program_loses_our_frames_above_it(monkeypatch):
    monkeypatch.setattr(Net, "forward", lambda self, x: {}["missing"])
    with pytest.raises(KeyError) as caught:
        wrong()
    assert len(ours(caught.value)) == 1


def test_threads_and_causes(capsys, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    errors.install_hooks()

    def work():
        try:
            wrong()
        except errors.ShapeError as error:
            raise ValueError("of the program") from error

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    shown = capsys.readouterr().err
    assert "ShapeError" in shown and "direct cause" in shown and "of the program" in shown
    assert "/paddle_lite/" not in shown


def test_ipython_shows_the_cell_only(monkeypatch):
    class Shell:
        custom_exceptions = ()

        def set_custom_exc(self, kinds, show):
            self.custom_exceptions, self.show = kinds, show

        def showtraceback(self, given, tb_offset=None):
            self.shown = given

    shell = Shell()
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    errors.install_hooks()
    try:
        wrong()
    except shell.custom_exceptions as error:
        shell.show(shell, type(error), error, error.__traceback__)
    assert shell.shown[0] is errors.ShapeError
    assert ours(shell.shown[1]) == [] and shell.shown[2] is shell.shown[1].__traceback__


def test_a_boundary():
    @boundary
    def refuses(x):
        """Refuse."""
        raise errors.ShapeError(f"{x}")

    assert refuses.__doc__ == "Refuse."
    with pytest.raises(errors.ShapeError, match="7"):
        refuses(7)


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda x: fluid.layers.reduce_sum(x, keepdims=True), "'keep_dim'"),
        (lambda x: paddle.nn.Linear(3, out_features=2), "'output_dim'"),
        (lambda x: fluid.layers.fc(x, sise=2), "'size'"),
        (lambda x: fluid.layers.relu(x, colour=2), "Its arguments are x, name"),
    ],
)
def test_an_unexpected_keyword_is_named(call, says, capsys):
    with guard(), pytest.raises(TypeError) as caught:
        call(to_variable(np.ones([2, 3], "float32")))
    sys.excepthook(TypeError, caught.value, caught.value.__traceback__)
    assert says in capsys.readouterr().err


def test_keywords_of_other_functions_stay_as_they_are(capsys):
    with pytest.raises(TypeError) as caught:
        (lambda x: x)(y=1)
    sys.excepthook(TypeError, caught.value, caught.value.__traceback__)
    assert "arguments are" not in capsys.readouterr().err
