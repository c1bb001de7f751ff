"""Calls in the form that they had before 1.8: numbers of 1.6.1, or those of the same call in the form of today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.calls.former import fits, formerly
from paddle_lite.core.errors import ArgumentTypeError
from tests.fluid.former_calls import CASES, decay, numbers, run

RECORDED = dict(np.load(Path(__file__).with_name("former_calls.npz")))
OF_THAT_TIME: Any = fluid.layers  # the type stubs have the arguments of today only
OPTIMIZER: Any = fluid.optimizer


@pytest.mark.parametrize("name", CASES)
def test_it_is_that_of_1_6(name: str) -> None:
    expected = {key.split("|")[1]: value for key, value in RECORDED.items() if key.startswith(f"{name}|")}
    found = run(fluid, CASES[name])
    assert found.keys() == expected.keys() and expected
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=2e-5, atol=1e-6, err_msg=key)


def ones(name: str, shape: list[int], dtype: str = "float32") -> Any:
    return fluid.layers.fill_constant(shape, dtype, 1 if dtype.startswith("int") else 1.0)


def yolo(box: str, label: str) -> Any:
    x, given = ones("x", [1, 14, 4, 4]), {box: ones("b", [1, 2, 4]), label: ones("l", [1, 2], "int32")}
    return OF_THAT_TIME.yolov3_loss(
        x, **given, anchors=[2, 3, 4, 5], anchor_mask=[0, 1], class_num=2, ignore_thresh=0.5, downsample_ratio=8
    )


def ragged() -> Any:
    return fluid.data("r", [None, 3], lod_level=1)


PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "fc by place": (
        lambda: OF_THAT_TIME.fc(ones("x", [2, 3]), 2, 1, "w", None, "relu", True, "own"),
        lambda: fluid.layers.fc(ones("x", [2, 3]), 2, 1, "w", None, "relu", name="own"),
    ),
    "fc by name": (
        lambda: OF_THAT_TIME.fc(ones("x", [2, 3]), size=2, is_test=False),
        lambda: fluid.layers.fc(ones("x", [2, 3]), size=2),
    ),
    "softmax": (
        lambda: OF_THAT_TIME.softmax(ones("x", [2, 3]), bias_attr=None, use_cudnn=True),
        lambda: fluid.layers.softmax(ones("x", [2, 3]), use_cudnn=True),
    ),
    "yolov3_loss": (lambda: yolo("gtbox", "gtlabel"), lambda: yolo("gt_box", "gt_label")),
    "sequence_conv": (
        lambda: OF_THAT_TIME.sequence_conv(ragged(), 2, 3, 1, True, "b", "w", "tanh"),
        lambda: fluid.layers.sequence_conv(ragged(), 2, 3, bias_attr="b", param_attr="w", act="tanh"),
    ),
    "warpctc": (
        lambda: OF_THAT_TIME.warpctc(ones("x", [3, 4]), ones("y", [2, 1], "int32"), 0, False, use_cudnn=True),
        lambda: fluid.layers.warpctc(ones("x", [3, 4]), ones("y", [2, 1], "int32"), 0, False),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_it_is_the_call_of_today(name: str) -> None:
    """Both forms append the same operators."""
    texts = []
    for make in PAIRS[name]:
        program = fluid.Program()
        with fluid.program_guard(program, fluid.Program()), fluid.unique_name.guard():
            make()
        texts.append(program.to_string(with_details=True))
    assert texts[0] == texts[1]


def test_compiled_programs_by_the_name_of_that_time() -> None:
    kind: Any = fluid.CompiledProgram
    program = fluid.Program()
    assert kind(program=program)._program is program
    with pytest.raises(TypeError, match="program"):
        kind(program=program, program_or_graph=program)


def test_the_form_of_today_takes_precedence() -> None:
    """An argument that both forms can have counts in that of 1.8.5."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        assert fluid.ParamAttr("w", None, 1.0, None, True, False).do_model_average is False
        assert fluid.optimizer.SGD(0.5, [], decay(fluid)).regularization is not None


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (lambda: OPTIMIZER.SGD(0.5, 3), "parameter_list"),
        (lambda: OPTIMIZER.Momentum(0.5, 0.9, True, 5), "parameter_list|regularization"),
        (lambda: OPTIMIZER.SGD(0.5, fluid.dygraph.Linear(2, 1)), "parameter_list got Linear"),
        (lambda: OPTIMIZER.SGD(0.5, fluid.dygraph.to_variable(numbers(2))), "parameter_list got Variable"),
    ],
)
def test_what_is_of_neither_form(wrong: Callable[[], Any], word: str) -> None:
    with fluid.dygraph.guard(), pytest.raises(ArgumentTypeError, match=word):
        wrong()


def test_an_argument_that_neither_form_has() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(TypeError, match="is_tes"):
        OF_THAT_TIME.fc(ones("x", [2, 3]), 2, is_tes=True)


def test_kinds() -> None:
    kinds: dict[str, tuple[Any, Any]] = {
        "name": ("n", True), "use_nesterov": (np.True_, "n"), "padding_start": (-1, False), "regularization": (object(), "n"),
        "parameter_list": (iter([]), "n"), "bias_attr": (False, 3.0),
    }  # fmt: skip
    for name, (right, wrong) in kinds.items():
        assert fits([name], [right]) and fits([name], [None]) and not fits([name], [wrong]), name
    assert fits(["unknown"], [numbers(2)]) and not fits(["name"], ["n", "m"])


def test_an_argument_given_twice() -> None:
    @formerly("x is_test name", gone="is_test")
    def layer(x: int, name: str | None = None) -> tuple:
        return x, name

    with pytest.raises(TypeError, match="name"):
        layer(1, True, name="n", is_test=False)  # type: ignore[call-arg, arg-type, misc]
