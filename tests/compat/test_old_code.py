"""What programs of 2018-2020 take from NumPy and from `paddle` itself, under `run`."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import paddle_lite.compat as cpt
from paddle_lite.core.errors import ArgumentTypeError
from tests.children import run, under_run

from .sandbox import Sandbox

OLD_NUMPY = """
import numpy as np
assert np.zeros(2, np.float).dtype == np.float64 and np.array([1], dtype=np.int).dtype == np.array([1]).dtype
assert np.zeros(2, np.bool).dtype == bool and np.zeros(2, np.object).dtype == object
assert np.array(['a'], dtype=np.str).dtype == np.array(['a']).dtype
assert np.zeros(2, np.long).dtype.kind == 'i' and np.zeros(2, np.complex).dtype == np.complex128
assert np.isnan(np.NaN) and np.Inf == np.infty == -np.NINF and np.product([2, 3]) == 6 and np.asscalar(np.ones(1)) == 1
written = np.fromstring(np.arange(3, dtype=np.int16).tobytes(), dtype=np.int16)
written += 1
assert written.tolist() == [1, 2, 3] and np.fromstring('ab', np.uint8).tolist() == [97, 98]
assert np.fromstring('1 2', sep=' ').tolist() == [1, 2]
print(float(np.array([1.5])), '%f' % np.array([2.5]), int(np.array([[3]])))
"""


def test_names_that_numpy_has_dropped(sandbox: Sandbox) -> None:
    done = sandbox.run("-c", OLD_NUMPY)
    assert (done.stdout, done.stderr) == ("1.5 2.500000 3\n", "")


def test_numpy_has_dropped_them() -> None:
    """Otherwise the test above would prove nothing."""
    done = subprocess.run([sys.executable, "-c", OLD_NUMPY], capture_output=True, text=True)
    assert "AttributeError: module 'numpy' has no attribute 'float'" in done.stderr


def test_children_and_importers_of_numpy_see_them(sandbox: Sandbox) -> None:
    sandbox.write("old/importer.py", "import paddle.fluid\nfrom numpy import float as number\nprint(number)\n")
    code = "import subprocess, sys; subprocess.run([sys.executable, 'old/importer.py'], check=True)"
    assert sandbox.out(code) == "<class 'float'>"


def test_other_warnings_are_left(sandbox: Sandbox) -> None:
    code = "import numpy, warnings; warnings.warn('another one', DeprecationWarning)"
    assert "another one" in sandbox.run("-c", code).stderr
    code = "import numpy as np; print(float(np.array([1.5])), '%f' % np.array([2.5]), int(np.array([[3]])))"
    done = sandbox.python("-W", "error", "-m", "paddle_lite", "run", "-c", code)
    assert (done.stdout, done.stderr) == ("1.5 2.500000 3\n", "")


PROMOTED = """
import numpy as np
import paddle.fluid as fluid
x = fluid.data('x', [None, 2], 'float32')
y = fluid.layers.fc(x, 1, param_attr=fluid.initializer.Constant(1.0))
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
given = np.float32([[1, 2]]) * np.sqrt(4.0)
for _ in range(2):
    found = exe.run(feed={'x': given}, fetch_list=[y])[0]
print(found, found.dtype)
"""


def test_float64_that_numpy_1_made_float32_is_fed_as_float32() -> None:
    done = run("-c", PROMOTED, env=under_run())
    assert done.stdout == "[[6.]] float32\n", done.stderr
    assert (
        done.stderr.count("feed['x'] is declared as float32 and was given float64, which is converted: NumPy 2 makes")
        == 1
    )
    done = run("-c", PROMOTED.replace("import paddle.fluid", "import paddle_lite.fluid"))
    assert "feed['x'] got dtype float64, needs dtype float32, as declared" in done.stderr


def test_what_numpy_has_is_kept(sandbox: Sandbox) -> None:
    code = "import numpy as np; print(np.float64, np.bool_ is type(np.True_), np.round_(1.4), np.__spec__.name)"
    assert sandbox.out(code) == "<class 'numpy.float64'> True 1.0 numpy"


def test_the_module_of_aliases_is_not_left_behind(sandbox: Sandbox) -> None:
    code = """
import numpy, sys
print([name for name in sys.modules if 'legacy' in name or name.startswith('paddle')])
print([entry for entry in sys.path if entry.endswith('site')])
"""
    assert sandbox.out(code) == "[]\n[]"


@pytest.mark.parametrize(
    ("statement", "printed"),
    [
        ("import paddle; print(paddle.__version__, paddle.version.full_version)", "1.8.5 1.8.5"),
        ("import paddle.version as v; print(v.major, v.minor, v.patch, v.rc, v.mkl())", "1 8 5 0 OFF"),
        ("import paddle.compat as cpt; print(cpt.to_text(b'a'), cpt.to_bytes('a'))", "a b'a'"),
        ("import paddle; print(paddle.compat.round(2.5))", "3.0"),
        ("from paddle.compat import floor_division; print(floor_division(7, 2))", "3"),
    ],
)
def test_names_of_paddle_itself(sandbox: Sandbox, statement: str, printed: str) -> None:
    assert sandbox.out(statement) == printed


NESTED = [b"a", "b", [b"c"], {b"k": b"v"}]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (b"a", "a"),
        ("a", "a"),
        (NESTED, ["a", "b", ["c"], {"k": "v"}]),
        ({b"a"}, {"a"}),
        ((b"a",), (b"a",)),
        (None, None),
        (2.5, 2.5),
    ],
)
def test_to_text(given: Any, text: Any) -> None:
    assert cpt.to_text(given) == text


def test_to_bytes_is_the_way_back() -> None:
    assert cpt.to_bytes(cpt.to_text({b"a", b"b"})) == {b"a", b"b"}
    assert cpt.to_bytes("ä", "latin1") == b"\xe4"
    assert cpt.to_text(b"\xe4", "latin1") == "ä"


@pytest.mark.parametrize("given", [[b"a"], {b"a"}, {b"a": [b"b"]}])
def test_in_place(given: Any) -> None:
    expected = cpt.to_text(given)
    assert type(given)(given) != expected
    assert cpt.to_text(given, inplace=True) is given
    assert given == expected


@pytest.mark.parametrize(
    ("x", "d", "rounded"),
    [(0.5, 0, 1), (-0.5, 0, -1), (2.5, 0, 3), (2.675, 2, 2.68), (1.25, 1, 1.3), (1234.5, -2, 1200), (0, 0, 0)],
)
def test_round_goes_away_from_zero(x: float, d: int, rounded: float) -> None:
    """The numbers are PaddlePaddle's."""
    assert cpt.round(x, d) == rounded


def test_round_needs_a_number() -> None:
    with pytest.raises(ArgumentTypeError, match=r"round: x got str 'x', needs a number"):
        cpt.round("x")  # type: ignore[arg-type]


def test_get_exception_message() -> None:
    assert cpt.get_exception_message(ValueError("a reason")) == "a reason"
    assert cpt.int_type is int
    with pytest.raises(AssertionError, match="get_exception_message: exc got None"):
        cpt.get_exception_message(None)
    assert cpt.long_type is int
