"""The names of `fluid` itself, and what is said of those that are missing, without `run`."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite import version
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, VersionError
from paddle_lite.core.missing import absent_text, is_of_1_8
from paddle_lite.version import own_version

FLUID = [
    "average",
    "clip",
    "core",
    "dygraph",
    "evaluator",
    "initializer",
    "install_check",
    "io",
    "layers",
    "metrics",
    "optimizer",
    "regularizer",
]
TENSOR = ["attribute", "creation", "linalg", "logic", "manipulation", "math", "random", "search", "stat"]
OTHERS = [
    "declarative",
    "dataset",
    "fluid",
    "imperative",
    "io",
    "jit",
    "metric",
    "nn",
    "nn.functional",
    "nn.layer",
    "optimizer",
    "reader",
    "static",
]
MODULES = ["", *OTHERS, "tensor", *(f"fluid.{name}" for name in FLUID), *(f"tensor.{name}" for name in TENSOR)]


def module_called(name: str) -> ModuleType:
    """paddle_lite, or what is below it."""
    return importlib.import_module(f"paddle_lite.{name}".rstrip("."))


@pytest.mark.parametrize("name", MODULES)
def test_a_missing_name_is_named(name: str) -> None:
    module = module_called(name)
    public = f"paddle.{name}".rstrip(".")
    with pytest.raises(AttributeError) as raised:
        _ = module.no_such_name
    assert str(raised.value).startswith(f"module '{public}' has no attribute 'no_such_name'.")
    assert not hasattr(module, "no_such_name")
    assert not hasattr(module, "__wrapped__")


@pytest.mark.parametrize(
    ("module", "misspelt", "meant"),
    [
        ("fluid.layers", "conv2", "conv2d"),
        ("fluid.optimizer", "Sgd", "SGD"),
        ("fluid.dygraph", "Linaer", "Linear"),
        ("fluid.io", "load_var", "load_vars"),
        ("fluid.initializer", "Xaver", "Xavier"),
        ("reader", "shufle", "shuffle"),
        ("nn", "Relu", "ReLU"),
    ],
)
def test_a_misspelt_name_names_the_one_that_is_meant(module: str, misspelt: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"'{misspelt}'. Did you mean '{meant}'") as raised:
        getattr(module_called(module), misspelt)
    assert "not yet available" not in str(raised.value)


def test_a_name_of_paddle_that_is_not_there_is_not_yet_available() -> None:
    assert is_of_1_8("paddle.fluid.layers.fc") and is_of_1_8("paddle.fluid.layers")
    assert (
        absent_text("paddle.fluid.layers.fc")
        == f"paddle.fluid.layers.fc is not yet available in paddle_lite {own_version}"
    )
    assert "has no attribute 'fcc'" in absent_text("paddle.fluid.layers.fcc")


@pytest.mark.parametrize("name", MODULES)
def test_every_name_that_is_offered_is_there(name: str) -> None:
    module = module_called(name)
    names = set(dir(module)) | set(getattr(module, "__all__", []))
    assert sorted(name for name in names if not hasattr(module, name)) == []


def test_versions() -> None:
    for bounds in [("1.5",), ("1",), ("1.8.5", "1.8.5"), ("1.5.2.0", "1.9"), ("1.8.5", None)]:
        fluid.require_version(*bounds)


@pytest.mark.parametrize("bounds", [("1.9",), ("1.8.5.1",), ("1.5", "1.7"), ("1.9", "1.5"), ("1.8.4", "1.8")])
def test_versions_that_this_is_not(bounds: tuple[str, ...]) -> None:
    with pytest.raises(VersionError, match=r"the API of 1\.8\.5, needs"):
        fluid.require_version(*bounds)


def test_a_version_that_a_program_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    for part, number in zip(("major", "minor", "patch", "rc"), "1410", strict=True):
        monkeypatch.setattr(version, part, number)
    fluid.require_version("1.4.1", "1.6")
    with pytest.raises(VersionError):
        fluid.require_version("1.5")
    for part in ("major", "minor", "patch"):
        monkeypatch.setattr(version, part, "0")
    fluid.require_version("1.5", "1.6")  # 0.0.0.0 is what was built from sources


def test_versions_that_are_none() -> None:
    with pytest.raises(ArgumentTypeError, match="min_version got float"):
        fluid.require_version(1.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError, match="max_version got 'new'"):
        fluid.require_version("1.5", "new")


def test_run_check(capsys: pytest.CaptureFixture[str]) -> None:
    fluid.install_check.run_check()
    assert "installed successfully" in capsys.readouterr().out


def test_the_version_of_the_package_is_its_own() -> None:
    assert paddle.__version__ == own_version
    assert paddle.version.full_version == "1.8.5"


def test_core() -> None:
    assert fluid.core.VarDesc.VarType.FP32 is fluid.core.VarType.FP32
    assert fluid.core.VarBase is paddle.imperative.Variable
    assert issubclass(fluid.core.EnforceNotMet, Exception)
    assert not fluid.core.is_compiled_with_mkldnn()
    assert fluid.core.get_cuda_device_count() >= 0
