"""Hostile files and wrong calls, a few of each kind; `make fuzz` tries many. The fuzzer itself notices what it must notice."""

from __future__ import annotations

import os
import random
import sys
import time

import numpy as np
import pytest

import paddle_lite
import paddle_lite.fluid as fluid
from paddle_lite.core import lazy
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.core.guarded import boundary
from paddle_lite.static.proto.messages import ProgramDesc

from . import examples, files, hostile, programs
from .judging import Ended, judged, limited
from .values import mutated

COUNTS = {"calls": 150, "programs": 10, "files": 120, "saves": 40}


@pytest.fixture(autouse=True)
def _loops_end():
    before = fluid.get_flags(["FLAGS_max_loop_iterations", "FLAGS_full_traceback"])
    fluid.set_flags({"FLAGS_max_loop_iterations": 1000, "FLAGS_full_traceback": True})
    yield
    fluid.set_flags(before)


@pytest.mark.parametrize("kind", sorted(hostile.SHARES))
def test_no_case_ends_in_a_raw_error(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(COUNTS[kind]):
        case = hostile.drawn(kind, number)
        ended = hostile.attempted(case, case.parts)
        assert not isinstance(ended, Ended), f"{kind} {number}: {ended}\n{case.shown(hostile.shrunk(case, ended.kind))}"


def test_a_case_is_drawn_from_its_number_alone():
    for kind in hostile.SHARES:
        one, two = hostile.drawn(kind, 7), hostile.drawn(kind, 7)
        assert one.parts == two.parts and one.shown(one.parts) == two.shown(two.parts)


def test_mutations_change_what_they_are_given():
    draw = random.Random(3)
    assert sum(mutated(b"some content", draw) == b"some content" for _ in range(200)) < 40
    subject = programs.subjects()[0]
    changed = [programs.changed(subject.content, programs.draw(random.Random(i))) for i in range(30)]
    assert (
        sum(
            content != ProgramDesc.FromString(subject.content).SerializeToString(deterministic=True)
            for content in changed
        )
        > 20
    )


WHOLE = [
    form for form in files.forms() if form.name != "kernel archive"
]  # that has no kernels, and is refused as it is


@pytest.mark.parametrize("form", WHOLE, ids=lambda form: form.name)
def test_files_that_are_whole_are_read(form, monkeypatch):
    monkeypatch.setattr(files, "judged", lambda error: pytest.fail(repr(error)))
    assert files.run(form, []) == ""


@pytest.mark.parametrize("subject", programs.subjects()[::4], ids=lambda subject: subject.name)
def test_programs_that_are_whole_run(subject, monkeypatch):
    monkeypatch.setattr(programs, "judged", lambda error: pytest.fail(repr(error)))
    assert programs.run(subject, subject.content) == ""


# --- planted faults ------------------------------------------------------------------------------------------------------


def _planted(what: str) -> None:
    """What a worker runs in the place of a case."""
    if what == "raw":
        fluid.layers.planted_fault(3)
    while what == "hangs":
        pass
    if what == "waits":
        time.sleep(60)
    os._exit(11)


@pytest.mark.skipif(sys.platform != "linux", reason="workers of other systems do not inherit what is planted")
@pytest.mark.parametrize("what", ["raw", "hangs", "waits", "dies"])
def test_what_must_not_happen_is_reported(what, monkeypatch):
    def drawn(kind, number):
        def run(parts):
            if number == 2:
                try:
                    _planted(what)
                except Exception as error:
                    raise Ended("AttributeError", repr(error)) from error
            return ""

        return hostile.Case([number], run, str)

    monkeypatch.setattr(hostile, "drawn", drawn)
    monkeypatch.setattr(hostile, "WAITS", 2)
    shown: list[str] = []
    failed = hostile.ran({"calls": 5}, workers=1, seconds=2.0, show=shown.append)
    said = {
        "raw": "AttributeError",
        "hangs": "more than 2 seconds",
        "waits": "more than 2 seconds",
        "dies": "exit code 11",
    }[what]
    assert failed == 1 and any("calls 2" in text and said in text for text in shown)
    assert any(text.startswith("calls: 5 tried, 1 failed") for text in shown)


def test_errors_that_are_fair():
    for fair in (
        lambda: fluid.layers.fc(),
        lambda: fluid.layers.fc(1, 2, 3, 4, 5, wrong=1),
        lambda: fluid.layers.relu("x"),
    ):
        with pytest.raises(Exception) as caught:
            fair()
        assert judged(caught.value, __file__) == ""


@pytest.mark.parametrize(
    "source",
    [
        "function, _ = ast_to_func(ast.parse('a / b'), double)",
        "fluid.dygraph.ProgramTranslator().enable(False)\nwith fluid.dygraph.guard():\n    declared()",
    ],
)
def test_errors_of_the_program_s_own_functions_are_fair(source):
    opening = (
        "import ast\nfrom paddle_lite.fluid.dygraph.dygraph_to_static.utils import ast_to_func\n"
        "def double(x):\n    return 2 * x\ndeclared = fluid.dygraph.declarative(double)\n"
    )
    ending = "\nraise AssertionError"
    assert examples.run(opening + source + ending, False) == ""


def test_errors_that_are_not():
    scope = {"np": np}
    exec(compile("def broken(x):\n    return np.ones(2)[x]\n", lazy.__file__, "exec"), scope)
    with pytest.raises(IndexError) as caught:
        scope["broken"](5)
    with pytest.raises(Ended, match=r"IndexError"):
        judged(caught.value, __file__)
    with pytest.raises(IndexError) as caught:
        boundary(scope["broken"])(5)
    assert "IndexError: index 5" in judged(caught.value, __file__)
    with pytest.raises(Ended, match="MiB"), limited(1 << 20):
        np.ones(1 << 27)


def test_a_number_is_no_path():
    """Python would read from the open file of this number, and wait for what comes out of a pipe."""
    from paddle_lite.fluid.incubate.fleet.utils.utils import load_program

    end, other = os.pipe()
    try:
        for call in (
            lambda: load_program(end, is_text=True),
            lambda: load_program(end, is_text=False),
            lambda: fluid.load_program_state(end),
            lambda: fluid.io.load_inference_model(end, fluid.Executor()),
            lambda: fluid.DataFeedDesc(end),
            lambda: list(paddle_lite.reader.creator.text_file(end)()),
        ):
            with pytest.raises(EnforceNotMet, match=f"int {end}"):
                call()
    finally:
        os.close(end)
        os.close(other)


def test_examples_are_those_of_the_public_names():
    names = {example.name for example in examples.examples()}
    assert {"paddle_lite.layers.nn.conv.conv2d", "paddle_lite.params.clip.GradientClipByNorm"} <= names and len(
        names
    ) > 600
