"""`paddle` and each of its submodules is the module object of paddle_lite, loaded once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .sandbox import Sandbox


@pytest.mark.parametrize(
    "statement",
    [
        "import paddle, paddle_lite; assert paddle is paddle_lite",
        "import paddle_lite, paddle; assert paddle is paddle_lite",
        "import paddle.fluid as fluid, paddle_lite.fluid; assert fluid is paddle_lite.fluid",
        "import paddle_lite.fluid, paddle.fluid as fluid; assert fluid is paddle_lite.fluid",
        "import paddle; from paddle import fluid; import paddle_lite.fluid; assert fluid is paddle_lite.fluid",
        "import paddle; assert paddle.fluid.layers.fc() == 'fc'",
        "import paddle.fluid.core; assert paddle.fluid.core.VarDesc.__module__ == 'paddle_lite.fluid.core'",
        "from paddle.fluid.dygraph.nn import Conv2D; import paddle; assert Conv2D is paddle.fluid.dygraph.Conv2D",
        "from paddle.fluid.dygraph.base import to_variable; assert to_variable(3) == 3",
        "from paddle.fluid.dygraph import base; assert base.to_variable(3) == 3",
        "import paddle.fluid as fluid; assert fluid.dygraph.base.to_variable(3) == 3",
        "import paddle.fluid.layers.nn as nn, paddle.fluid as fluid; assert nn.fc is fluid.layers.fc",
        "from paddle.fluid.layers import nn, tensor; assert nn is tensor",
        "from paddle.fluid.layers import *; assert fc() == 'fc'",
        "from paddle.fluid.core_avx import VarDesc",
        "import paddle.fluid as fluid; assert fluid.extras.quantize.depth == 3",
        "import paddle.fluid.extras.quantize as q, paddle_lite.fluid.extras.quantize as p; assert p is q",
        "from paddle.optimizer import AdamOptimizer as A; import paddle_lite.optimizer as o; assert A is o.AdamOptimizer",
        "import pickle, paddle.fluid.core as c; assert pickle.loads(pickle.dumps(c.VarDesc)) is c.VarDesc",
        "import importlib.util as u; assert u.find_spec('paddle.fluid.layers') is not None",
    ],
)
def test_resolves(sandbox: Sandbox, statement: str) -> None:
    loaded = sandbox.out(f"{statement}\nimport sys; print(*sys.loaded)").split()
    assert len(loaded) == len(set(loaded))
    assert all(name.startswith("paddle_lite") for name in loaded)


def test_reloading_a_module_keeps_the_one_object(sandbox: Sandbox) -> None:
    code = "import importlib, paddle.fluid as f; print(importlib.reload(f) is f, f.data())"
    assert sandbox.out(code) == "True the function"


def test_importing_a_module_leaves_the_function_of_its_name(sandbox: Sandbox) -> None:
    """`paddle.fluid.data` and `paddle.fluid.layers.rnn` are functions, and modules to `import`, in PaddlePaddle."""
    code = "import paddle.fluid.data, paddle.fluid.layers.rnn, paddle.fluid as f; print(f.data(), f.layers.rnn())"
    assert sandbox.out(code) == "the function rnn"


@pytest.mark.parametrize(
    ("statement", "error", "name"),
    [
        ("from paddle.fluid.layers import warpctc", "ModuleNotFoundError", "paddle.fluid.layers.warpctc"),
        ("from paddle.fluid.layers.nn import warpctc", "ModuleNotFoundError", "paddle.fluid.layers.warpctc"),
        ("import paddle.fluid as fluid; fluid.layers.warpctc", "NotYetAvailable", "paddle.fluid.layers.warpctc"),
    ],
)
def test_a_missing_name_of_paddle_is_named(sandbox: Sandbox, statement: str, error: str, name: str) -> None:
    done = sandbox.run("-c", statement)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1
    assert error in last
    assert f"{name} is not yet available in paddle_lite" in last


@pytest.mark.parametrize(
    ("statement", "error", "name"),
    [
        ("import paddle.nowhere", "ModuleNotFoundError", "paddle.nowhere"),
        ("import paddle.fluid.nowhere.deeper", "ModuleNotFoundError", "paddle.fluid.nowhere"),
        ("from paddle import nowhere", "ModuleNotFoundError", "paddle.nowhere"),
        ("import paddle; paddle.nowhere", "AttributeError", "paddle.nowhere"),
        ("import paddle.fluid as fluid; fluid.extras.slim", "AttributeError", "paddle.fluid.extras.slim"),
        ("import paddle.kernels", "ModuleNotFoundError", "paddle.kernels"),
    ],
)
def test_a_name_that_paddle_does_not_have_is_said_to_be_absent(
    sandbox: Sandbox, statement: str, error: str, name: str
) -> None:
    done = sandbox.run("-c", statement)
    last = done.stderr.strip().splitlines()[-1]
    module, _, child = name.rpartition(".")
    assert done.returncode == 1
    assert last.startswith(error) and f"module '{module}' has no attribute '{child}'." in last


def test_a_missing_name_can_be_probed(sandbox: Sandbox) -> None:
    code = """
import paddle.fluid as fluid
assert not hasattr(fluid, 'nowhere') and not hasattr(fluid, '__wrapped__') and getattr(fluid, '_x', 1) == 1
try:
    from paddle.fluid import nowhere
except ImportError as error:
    print(error.name)
"""
    assert sandbox.out(code) == "paddle.fluid.nowhere"


def test_an_error_inside_a_module_is_not_hidden(sandbox: Sandbox) -> None:
    broken = sandbox.root / "paddle_lite" / "metric.py"
    broken.write_text("import a_module_that_nobody_has\n")
    try:
        done = sandbox.run("-c", "import paddle.metric")
    finally:
        broken.unlink()
    assert done.stderr.strip().endswith("ModuleNotFoundError: No module named 'a_module_that_nobody_has'")


def test_install_in_a_notebook(sandbox: Sandbox) -> None:
    code = """
import paddle_lite.compat
paddle_lite.compat.install()
paddle_lite.compat.install()
import paddle.fluid, sys
assert paddle is paddle_lite and paddle.fluid is paddle_lite.fluid
print([type(finder).__name__ for finder in sys.meta_path].count('AliasFinder'))
"""
    assert sandbox.python("-c", code).stdout.strip() == "1"


def test_the_extension_of_notebooks() -> None:
    """IPython's `%load_ext paddle_lite` calls the function of this name."""
    code = "import paddle_lite; paddle_lite.load_ipython_extension(None); import paddle; print(paddle is paddle_lite)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_install_comes_before_another_paddle(sandbox: Sandbox) -> None:
    code = """
import sys, types
sys.modules['paddle'] = types.ModuleType('paddle')
import paddle_lite.compat
paddle_lite.compat.install()
"""
    done = sandbox.python("-c", code)
    assert "ModeError: paddle_lite.compat.install: `paddle` has been imported already" in done.stderr
    assert "fresh process" in done.stderr


def test_without_us_the_other_paddle_is_imported(sandbox: Sandbox) -> None:
    """The sandbox does have a rival: otherwise the tests above would prove nothing."""
    assert "this is the other paddle" in sandbox.python("-c", "import paddle").stderr
