"""The public namespaces: what an import loads, and that every name of every table is there."""

from __future__ import annotations

import builtins
import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import paddle_lite
from paddle_lite.core.lazy import Namespace
from paddle_lite.core.missing import names_without_all
from paddle_lite.ops.framework import registry

from .layers import ONLY_IN_KERNELS, PACKAGE

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ONLY_IN_KERNELS | {
    "PIL", "awkward", "google", "graphviz", "matplotlib", "pytest", "scipy", "six", "sklearn", "threadpoolctl", "tqdm",
}  # fmt: skip
"""Packages that an import does not load."""

for _package in (
    "fluid",
    "nn",
    "tensor",
    "optimizer",
    "reader",
    "io",
    "metric",
    "jit",
    "dataset",
    "imperative",
    "static",
):
    importlib.import_module(f"{PACKAGE}.{_package}")
TABLES = sorted(name for name in Namespace.tables if name.split(".")[0] == PACKAGE)


def loaded_by(code: str) -> tuple[set[str], set[str]]:
    """Return the modules with a file that `code` loads, in a process of its own: those of paddle_lite, and the others."""
    ending = (
        "import sys; print(*{getattr(m, '__name__', n) for n, m in [*sys.modules.items()] if hasattr(m, '__file__')})"
    )
    done = subprocess.run([sys.executable, "-c", f"{code}\n{ending}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = set(done.stdout.split())
    ours = {name for name in names if name.split(".")[0] == PACKAGE}
    assert PACKAGE in ours
    return ours, {name.split(".")[0] for name in names - ours}


@pytest.mark.parametrize(
    ("statement", "most"),
    [
        ("import paddle_lite", 14),
        ("import paddle_lite.fluid", 15),
        ("import paddle_lite.fluid as fluid; fluid.layers, fluid.dygraph, fluid.io, fluid.core", 28),
        ("import paddle_lite.compat", 19),
        ("import paddle_lite.cli", 17),
    ],
)
def test_an_import_loads_few_modules(statement: str, most: int) -> None:
    """Counted, not timed."""
    ours, others = loaded_by(statement)
    assert others & (HEAVY | {"numpy"}) == set()
    assert len(ours) <= most, sorted(ours)


def test_a_small_program_loads_the_families_of_its_operators_only() -> None:
    """An operator that is asked for by its type is found in the sources, not by importing all of them."""
    build = "fluid.layers.mean(fluid.layers.fc(fluid.layers.data('x', [4]), 3))"
    ours, others = loaded_by(f"import paddle_lite.fluid as fluid\nfluid.optimizer.SGD(0.1).minimize({build})")
    families = {f"{PACKAGE}.ops.{family}" for family in registry.families()}
    assert f"{PACKAGE}.ops.math.arithmetic" in ours & families
    assert len(ours & families) < len(families) // 2, sorted(ours & families)
    assert f"{PACKAGE}.static.plan.plan" not in ours, "what compiles Plans is loaded before one runs"
    assert others & (HEAVY - {"threadpoolctl"}) == set()


def test_paddle_is_imported_without_modules_that_it_does_not_need() -> None:
    """`importlib.abc` alone would load thirty modules; what finds `paddle` has its methods without it."""
    _, others = loaded_by(
        "from paddle_lite.compat import install; install()\nimport paddle.fluid as fluid; fluid.layers, fluid.io"
    )
    assert others & {"bz2", "html", "ipaddress", "lzma", "random", "tempfile", "urllib"} == set()


@pytest.mark.parametrize("module", TABLES)
def test_every_name_of_a_table_is_there(module: str) -> None:
    found = importlib.import_module(module)
    names = {*dir(found), *Namespace.tables[module].homes}
    assert [name for name in sorted(names) if not hasattr(found, name)] == []
    assert set(found.__all__) <= {*dir(found), *names_without_all(module)}
    scope: dict = {}
    exec(f"from {module} import *", scope)
    assert set(found.__all__) <= set(scope)


@pytest.mark.parametrize("module", ["paddle_lite.nn", "paddle_lite.nn.functional"])
def test_a_star_hides_no_builtin(module: str) -> None:
    """Fluid's layers have sum, range and hash in their `__all__`, as Paddle has; of paddle.nn they are asked for by name."""
    found = importlib.import_module(module)
    scope: dict = {}
    exec(f"from {module} import *", {}, scope)
    assert "softmax" in scope and not {*vars(builtins)} & {*scope}
    assert found.hash is importlib.import_module("paddle_lite.fluid.layers").hash


def test_no_name_of_a_table_is_that_of_a_file() -> None:
    """The file, once imported, would take the place of the function: `imperative/grad.py` that of `imperative.grad`."""
    hidden = []
    for module in TABLES:
        file, below = getattr(importlib.import_module(module), "__file__", None), module.partition(".")[2]
        for name, home in Namespace.tables[module].homes.items() if file else ():
            beside = Path(file).parent / name
            if home != f"{below}.{name}:*".lstrip(".") and (
                beside.with_suffix(".py").exists() or (beside / "__init__.py").exists()
            ):
                hidden.append(f"{module}.{name}")
    assert hidden == []


def test_no_section_is_hidden_by_a_file() -> None:
    for module in TABLES:
        spec = find_spec(module)
        assert spec is not None
        path = ROOT.joinpath(*module.split("."))
        has_file = path.with_suffix(".py").exists() or (path / "__init__.py").exists()
        assert has_file == (spec.origin is not None and spec.origin.endswith("__init__.py")), module


def test_every_public_function_of_layers_is_in_a_table() -> None:
    """A new file in layers/ is named in the table of `fluid.layers`, in `fluid/__init__.py`, or in that of `fluid.contrib`."""
    for module in ("fluid", "fluid.contrib"):  # each registers its tables when it is imported
        importlib.import_module(f"{PACKAGE}.{module}")
    tables = list(Namespace.tables.values())  # reading one may register others
    offered = {home.partition(":")[0] for table in tables for home in table.homes.values()}
    files = [
        path for path in (ROOT / PACKAGE / "layers").rglob("*.py") if "__all__ = " in path.read_text(encoding="utf8")
    ]
    modules = {".".join(path.relative_to(ROOT / PACKAGE).with_suffix("").parts) for path in files}
    assert len(modules) > 50
    assert sorted(modules - offered) == []


def test_modules_of_fluids_file_layout() -> None:
    """They are the modules that have their names."""
    for public, home in [
        ("fluid.layers.nn", "fluid.layers"),
        ("fluid.dygraph.base", "fluid.dygraph"),
        ("fluid.reader", "fluid.io"),
        ("fluid.core_avx", "fluid.core"),
        ("nn.control_flow", "nn"),
        ("clip", "fluid.clip"),
        ("batch", ""),
    ]:
        real = importlib.import_module(f"{PACKAGE}.{home}".rstrip("."))
        assert importlib.import_module(f"{PACKAGE}.{public}") is real
    assert paddle_lite.batch is importlib.import_module(f"{PACKAGE}.reader.batching").batch
