"""Every kernel for GPUs equals its reference on the samples of its test row: run thread by thread, without a GPU."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.core.errors import IndexRangeError
from paddle_lite.core.host import to_host
from paddle_lite.kernels import gpu, registry
from paddle_lite.kernels.cpu.random import dropout as by_hash
from paddle_lite.kernels.gpu.device.kernel import DeviceKernel
from paddle_lite.kernels.gpu.rnn.states import MOST_STEP_THREADS
from paddle_lite.kernels.gpu.support.index_checks import index_checks
from paddle_lite.ops.framework.dispatch import kernel_of
from tests.ops import stand_in
from tests.ops.case import Case
from tests.ops.loaded import forward_ops
from tests.ops.rows_of import ALL

from .nvrtc import compile_cuda, library, resources, together

FOLDER = Path(gpu.__file__).parent
FILES = sorted(FOLDER.glob("*/*.py"))
NEEDS_CUPY = {"device"}  # the language itself has tests of its own


def modules() -> list:
    names = [f"{gpu.__name__}.{file.parent.name}.{file.stem}" for file in FILES if file.parent.name not in NEEDS_CUPY]
    return [importlib.import_module(name) for name in names if not name.endswith("__init__")]


MODULES = modules()
ROWS = {row.op: row for _, row in ALL}
WITH_KERNEL = [
    op
    for op in forward_ops()
    if op.type in ROWS
    and any(registry.registered(each.type, "gpu") for each in (op, op.grad and op.grad.op) if each is not None)
]
DEVICE_KERNELS = {
    each.__name__: each for module in MODULES for each in vars(module).values() if isinstance(each, DeviceKernel)
}


@pytest.fixture(autouse=True)
def simulated() -> Iterator[None]:
    stand_in.forget()  # what other tests have compiled for another stand-in
    registry.use_gpu_module(np, kernels=True)
    yield
    registry.use_gpu_module(None)
    stand_in.forget()


def same(actual: dict, expected: dict, what: str) -> None:
    assert actual.keys() == expected.keys(), what
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            assert actual[name].shape == value.shape and actual[name].dtype == value.dtype, f"{what}: {name}"
            within = 2e-3 if value.dtype == np.float16 else 2e-5 if value.dtype == np.float32 else 1e-9
            np.testing.assert_allclose(actual[name], value, rtol=within, atol=within, err_msg=f"{what}: {name}")


@pytest.mark.parametrize("op", WITH_KERNEL, ids=lambda op: op.type)
def test_kernels_equal_their_references(op):
    for index in range(len(ROWS[op.type].samples)):
        case = Case(op, ROWS[op.type], index)
        if not case.repeatable:
            continue
        expected = case.reference()
        same(case._outputs(kernel_of(op, "gpu")(*case.inputs, **case.keywords())), expected, str(case))
        gradients = case.gradient_kernels(expected, case.seeds(expected), "gpu")
        if gradients is not None:
            same(gradients[1], gradients[0], f"{case}: gradients")
        index_checks.raise_found()


def test_a_wrong_index_is_raised_at_the_next_copy_to_the_host():
    [op] = [op for op in WITH_KERNEL if op.type == "softmax_with_cross_entropy"]
    attrs = {"soft_label": False, "ignore_index": -100, "axis": -1}
    softmax, _ = kernel_of(op, "gpu")(np.zeros((2, 3), "float32"), np.array([[1], [7]]), **attrs)
    assert softmax.tolist() == np.full((2, 3), np.float32(1 / 3)).tolist()

    class OnDevice:
        def get(self):
            return softmax

    with pytest.raises(IndexRangeError, match="label 7, needs 0 to 2"):
        to_host(OnDevice())
    assert to_host(OnDevice()) is softmax  # the error is raised once


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_dropout_drops_what_it_drops_on_the_cpu(monkeypatch, dtype):
    drawn = np.array([0x9E3779B97F4A7C15], "uint64")
    monkeypatch.setattr(by_hash, "key", lambda: drawn)
    x = np.random.RandomState(0).rand(3, 50).astype(dtype) + 1
    attrs = {"is_test": False, "dropout_prob": 0.3, "dropout_implementation": by_hash.UPSCALE}
    run = {name: registry.registered(name, "gpu") for name in ("dropout", "dropout_grad")}
    y, mask = run["dropout"](x, None, fix_seed=False, seed=0, reference=None, **attrs)
    expected, kept = by_hash.dropout(x.astype("float32"), 0.3, by_hash.scale_of(0.3, by_hash.UPSCALE), drawn)
    assert mask.tolist() == kept.tolist() and 0 < mask.mean() < 1
    np.testing.assert_allclose(y, expected, rtol=2e-3 if dtype == "float16" else 1e-6)
    dx = run["dropout_grad"](mask, np.ones_like(x), reference=None, **attrs)
    np.testing.assert_allclose(dx, kept / np.float32(0.7), rtol=1e-3)


TOGETHER = 12  # kernels of a program


@pytest.mark.skipif(library() is None, reason="NVRTC's wheel is not installed")
@pytest.mark.parametrize(
    ("dtype", "architecture"), [("float16", "compute_70"), ("float32", "compute_80"), ("float64", "sm_90")]
)
@pytest.mark.parametrize("first", range(0, len(DEVICE_KERNELS), TOGETHER))
def test_nvrtc_compiles(first, dtype, architecture):
    """To machine code in float64, which needs most of a GPU; else to the form before it, in half the time."""
    sources = []
    for _, each in sorted(DEVICE_KERNELS.items())[first : first + TOGETHER]:
        kinds = {kind.partition("[")[0] for kind in each.parameters.values()} & {"T", "U", "V"}
        wide = np.dtype("float32" if dtype == "float16" else dtype)
        sources.append(each.cuda_source({kind: np.dtype(dtype) if kind == "T" else wide for kind in kinds}))
    said = compile_cuda(together(sources), architecture)
    assert all("deprecated" in line for line in said.splitlines()), said


@pytest.mark.skipif(library() is None, reason="NVRTC's wheel is not installed")
@pytest.mark.parametrize("name", ["lstm_sequences", "lstm_sequences_grad", "gru_sequences", "gru_sequences_grad"])
def test_blocks_of_recurrences_fit_into_a_multiprocessor(name):
    source = DEVICE_KERNELS[name].cuda_source({"T": np.dtype("float64")})
    registers, shared, spilled = resources(source, "sm_70")
    assert 0 < registers * MOST_STEP_THREADS <= 65536 and 0 < shared <= 48 * 1024 and spilled == 0
