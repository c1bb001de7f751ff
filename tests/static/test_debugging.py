"""Print and Assert: the text, when it is printed, and what is refused. The texts are PaddlePaddle 1.8.5's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError

DATA = np.arange(6, dtype="float32").reshape(2, 3) / 4


def run(fetch: list[Any], feed: Any = DATA, times: int = 1) -> list[Any]:
    """Run the Program in a Scope of its own, several times."""
    exe = fluid.Executor(fluid.CPUPlace())
    result: list[Any] = []
    with fluid.scope_guard(fluid.Scope()):
        exe.run(fluid.default_startup_program())
        for _ in range(times):
            result = exe.run(feed={"x": feed}, fetch_list=fetch, return_numpy=isinstance(feed, np.ndarray))
    return result


def data(shape: Any = (None, 3), dtype: str = "float32", **kwargs: Any) -> Any:
    return fluid.data("x", list(shape), dtype, **kwargs)


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed; the seconds since 1970 as T."""
    return re.sub(r"^\d{10,}\t", "T\t", capsys.readouterr().out, flags=re.MULTILINE)


PLAIN = "T\t\tThe place is:CPUPlace\nTensor[x]\n\tshape: [2,3,]\n\tdtype: f\n\tdata: 0,0.25,0.5,0.75,1,1.25,\n"


def test_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    y = fluid.layers.Print(data())
    (result,) = run([y])
    np.testing.assert_array_equal(result, DATA)
    assert printed(capsys) == PLAIN
    assert y.name == "print_x_0.tmp_0"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"message": "The content:", "summarize": 2},
            PLAIN.replace("T\t", "T\tThe content:").replace(",0.5,0.75,1,1.25", ""),
        ),
        ({"summarize": 0}, PLAIN.replace("0,0.25,0.5,0.75,1,1.25,", "")),
        ({"summarize": -1}, PLAIN),
        ({"print_tensor_name": False}, PLAIN.replace("Tensor[x]\n", "")),
        ({"print_tensor_type": False}, PLAIN.replace("\tdtype: f\n", "")),
        ({"print_tensor_shape": False}, PLAIN.replace("\tshape: [2,3,]\n", "")),
        ({"print_phase": "forward"}, PLAIN),
        ({"print_phase": "BACKWARD"}, ""),
    ],
)
def test_options(options: dict[str, Any], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([fluid.layers.Print(data(), **options)])
    assert printed(capsys) == text


@pytest.mark.parametrize(
    ("dtype", "letter"), [("float32", "f"), ("float64", "d"), ("int32", "i"), ("int64", "l"), ("bool", "b")]
)
def test_dtypes(dtype: str, letter: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([fluid.layers.Print(data(dtype=dtype))], np.array([[0, 1, 1]]).astype(dtype))
    assert printed(capsys).endswith(f"\tdtype: {letter}\n\tdata: 0,1,1,\n")


def test_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    values = np.array([[1e-7, 123456789, np.nan, np.inf, -np.inf, 1 / 3, -0.0]], "float32")
    run([fluid.layers.Print(data((None, 7)))], values)
    assert printed(capsys).endswith("\tdata: 1e-07,1.23457e+08,nan,inf,-inf,0.333333,-0,\n")


def test_lod(capsys: pytest.CaptureFixture[str]) -> None:
    tensor = fluid.create_lod_tensor(np.arange(4, dtype="float32").reshape(4, 1), [[2, 1], [1, 1, 2]], fluid.CPUPlace())
    x = data((None, 1), lod_level=2)
    (result,) = run([fluid.layers.Print(x)], tensor)
    assert "\tLoD: [[ 0,2,3, ][ 0,1,2,4, ]]\n" in printed(capsys)
    assert result.lod() == [[0, 2, 3], [0, 1, 2, 4]]
    run([fluid.layers.Print(x, print_tensor_lod=False)], tensor)
    assert printed(capsys).count("LoD") == 1  # the first one's


def trained(**options: Any) -> Any:
    hidden = fluid.layers.fc(data(), 2, param_attr=fluid.initializer.Constant(0.5))
    loss = fluid.layers.mean(fluid.layers.Print(hidden, message="hid", **options))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return loss


FORWARD = "T\thid\tThe place is:CPUPlace\nTensor[fc_0.tmp_1]\n\tshape: [2,2,]\n\tdtype: f\n\tdata: {},\n"
BACKWARD = FORWARD.replace("fc_0.tmp_1", "print_fc_0.tmp_1_0.tmp_0@GRAD").format("0.25,0.25,0.25,0.25")
FIRST, SECOND = FORWARD.format("0.375,0.375,1.5,1.5"), FORWARD.format("0.295312,0.295312,1.35,1.35")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, FIRST + BACKWARD + SECOND + BACKWARD),
        ({"print_phase": "forward"}, FIRST + SECOND),
        ({"print_phase": "backward"}, BACKWARD * 2),
        ({"first_n": 1}, FIRST + BACKWARD),
        ({"first_n": 0}, ""),
    ],
)
def test_gradients_and_first_n(options: dict[str, Any], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([trained(**options)], times=2)
    assert printed(capsys) == text


def test_it_prints_though_nothing_reads_it(capsys: pytest.CaptureFixture[str]) -> None:
    x = data()
    fluid.layers.Print(x)
    run([fluid.layers.scale(x, 2.0)])
    assert printed(capsys) == PLAIN


def test_imperative_mode_prints_too(capsys: pytest.CaptureFixture[str]) -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(DATA, name="x")
        x.stop_gradient = False
        fluid.layers.mean(fluid.layers.Print(x)).backward()
        np.testing.assert_allclose(x.gradient(), np.full((2, 3), 1 / 6), rtol=1e-6)
    text = printed(capsys)
    assert text.startswith(PLAIN)
    assert text[len(PLAIN) :].startswith("T\t\tThe place is:CPUPlace\n\tshape: [2,3,]\n\tdtype: f\n\tdata: 0.166667,")


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"input": DATA}, ArgumentTypeError, "Print: input got ndarray of shape"),
        ({"print_phase": "never"}, ArgumentValueError, "'print_phase' got 'NEVER', needs one of"),
        ({"print_phase": 3}, ArgumentTypeError, "print_phase got int 3, needs a string"),
        ({"first_n": "a"}, ArgumentTypeError, "first_n got str 'a', needs an int"),
        ({"summarize": 1.5}, ArgumentTypeError, "summarize got float 1.5, needs an int"),
        ({"message": 3}, ArgumentTypeError, "message got int 3, needs a string"),
    ],
)
def test_what_print_refuses(options: dict[str, Any], error: type, match: str) -> None:
    with pytest.raises(error, match=match):
        fluid.layers.Print(**{"input": data(), **options})


def test_print_takes_no_half_precision() -> None:
    with pytest.raises(DtypeError, match=r"input got dtype float16, needs one of \('float32'"):
        fluid.layers.Print(data(dtype="float16"))


# --- Assert -----------------------------------------------------------------------------------------------------------------


def check(limit: float, shown: Callable[[Any], Any] = lambda x: [x], **options: Any) -> None:
    x = data()
    fluid.layers.Assert(fluid.layers.reduce_max(x) < limit, shown(x), **options)


def test_an_assertion_that_holds(capsys: pytest.CaptureFixture[str]) -> None:
    check(2.0)
    assert run([], times=2) == []
    assert printed(capsys) == ""


@pytest.mark.parametrize(("options", "text"), [({}, PLAIN), ({"summarize": 2}, PLAIN.replace(",0.5,0.75,1,1.25", ""))])
def test_an_assertion_that_fails(options: dict[str, Any], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(1.0, **options)
    with pytest.raises(
        ArgumentValueError, match=r"assert: condition tmp_1 got False, needs True(.|\n)*test_debugging.py"
    ):
        run([])
    assert printed(capsys) == text


def test_an_assertion_without_data(capsys: pytest.CaptureFixture[str]) -> None:
    check(1.0, lambda x: None)
    with pytest.raises(ArgumentValueError, match="got False"):
        run([])
    assert printed(capsys) == ""


def test_an_assertion_in_imperative_mode(capsys: pytest.CaptureFixture[str]) -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(DATA, name="x")
        fluid.layers.Assert(fluid.layers.reduce_max(x) < 2.0, [x])
        with pytest.raises(ArgumentValueError, match="got False"):
            fluid.layers.Assert(fluid.layers.reduce_max(x) < 1.0, [x, x])
    assert printed(capsys) == PLAIN * 2


def test_what_assert_refuses() -> None:
    x = data()
    holds = fluid.layers.reduce_max(x) < 2.0
    for wrong, error, match in (
        ((3,), ArgumentTypeError, "Assert: cond got int 3"),
        ((x,), DtypeError, "cond got dtype float32, needs bool"),
        ((holds, 3), ArgumentTypeError, "data got int 3, needs a list"),
        ((holds, [3]), ArgumentTypeError, r"data\[0\] got int 3"),
        ((holds, [x], "a"), ArgumentTypeError, "summarize got str 'a'"),
    ):
        with pytest.raises(error, match=match):
            fluid.layers.Assert(*wrong)
    both = fluid.data("b", [2], "bool")
    with pytest.raises(ShapeError, match=r"Input\(Cond\) got shape \[2\], needs one element"):
        fluid.layers.Assert(both)
