"""Wrong values that Python or NumPy refuse further down: each error names the call, the argument, what came and what is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.contrib.slim.prune.pruner import StructurePruner
from paddle_lite.convert.check import difference
from paddle_lite.core.errors import EnforceNotMet, TooLargeError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.fluid.contrib.decoder import InitState
from paddle_lite.fluid.dygraph.dygraph_to_static.utils import RenameTransformer, index_in_list
from paddle_lite.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker
from paddle_lite.fluid.layers.utils import map_structure
from paddle_lite.fluid.transpiler.details import UnionFind, delete_ops
from paddle_lite.hapi.vision.transforms import (
    CenterCrop,
    CenterCropResize,
    GaussianNoise,
    Normalize,
    Permute,
    RandomResizedCrop,
    Resize,
)
from paddle_lite.reader import batch

D = fluid.dygraph
PIXELS = np.zeros([4, 3, 1], "float32")


def _desc() -> Any:
    return fluid.default_main_program().desc


def _imperative(call: Callable[[], Any]) -> Callable[[], Any]:
    def run() -> Any:
        with D.guard():
            return call()

    return run


def _named(function: Any) -> str:
    with fluid.unique_name.guard(function):
        return fluid.unique_name.generate("fc")


CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "channels": (
        lambda: Normalize([1.0, 2.0], 2.0)(np.ones([2, 1, 1], "float32")),
        r"Normalize: img got ndarray of shape \[2, 1, 1\] .*, needs channels x rows x columns, of 2 means and 3 deviations",
    ),
    "a side of a crop": (lambda: CenterCrop((1, "x")), "CenterCrop: output_size got tuple .*, needs an int, or"),  # type: ignore[arg-type]
    "a large size": (lambda: Resize(2**70), "Resize: size got int .*, needs sizes from 1 to 2147483647"),
    "no size": (lambda: CenterCropResize(0), "CenterCropResize: size got int 0, needs sizes from 1"),
    "a large result": (
        lambda: paddle.hapi.vision.transforms.functional.resize(np.zeros([4, 400, 3], "float32"), 2**30),
        "resize: size got .*, needs from one row and column to 2147483647",
    ),
    "an image of one axis": (
        lambda: RandomResizedCrop(2)(np.ones(3)),
        r"RandomResizedCrop: img got ndarray of shape \[3\] .*, needs an array of rows x columns x channels",
    ),
    "an image that is none": (lambda: CenterCrop(1)(PIXELS[0]), "CenterCrop: img got .*, needs an array of rows"),
    "a picture without channels": (lambda: Permute()(PIXELS[..., 0]), "Permute: img got .*, needs an array of rows"),
    "a deviation": (lambda: GaussianNoise(0.1, -1), "GaussianNoise: std got int -1, needs a number of 0 or more"),
    "a key": (
        lambda: UnionFind(["a"]).find({}),
        "UnionFind.find: x got dict {}, needs a value that can be the key of a dict",
    ),
    "what is no operator": (
        lambda: delete_ops(fluid.default_main_program().global_block(), ["x"]),  # type: ignore[list-item]
        "delete_ops: ops got str 'x', needs operators of the block",
    ),
    "an item": (
        lambda: index_in_list([3, 4], np.arange(4)),
        r"index_in_list: item got ndarray of shape \[4\] .*, needs one value, not an array",
    ),
    "lists of arrays": (
        lambda: difference([np.ones(2)], []),
        "difference: found got list .*, needs arrays, as many as the other list has",
    ),
    "an operator's index": (
        lambda: _desc().block(0).op(np.bool_(True)),
        "BlockDesc.op: index got bool of shape .*, needs an index below 0",
    ),
    "a block's index": (lambda: _desc().block("x"), "ProgramDesc.block: index got str 'x', needs one below 1"),
    "a dtype": (lambda: fluid.core.size_of_dtype([[1], [2]]), "size_of_dtype: dtype got .*, needs one of bool"),
    "a text with surrogates as a dtype": (
        lambda: fluid.core.size_of_dtype("\udcff"),
        r"size_of_dtype: dtype got '\\udcff', needs one of bool",
    ),
    "a first state": (lambda: InitState("int64"), "InitState: init got str 'int64', needs a Variable"),
    "an axis": (
        lambda: StructurePruner({"*": 0}, {"*": "l1_norm"}).prune_tensor(3, [0], 0),
        "prune_tensor: pruned_axis got int 0, needs an axis of the tensor, which has 0",
    ),
    "outputs": (
        _imperative(lambda: fluid.layer_helper.LayerHelper("s").append_op("scale", outputs=-1.5)),
        r"append_op\(scale\): outputs got float -1.5, needs a dict with some of Out",
    ),
    "a collective job": (
        lambda: PaddleCloudRoleMaker(np.ones(3)),  # type: ignore[arg-type]
        r"PaddleCloudRoleMaker: is_collective got ndarray of shape \[3\] .*, needs a bool",
    ),
    "a window": (
        lambda: fluid.optimizer.ModelAverage(0.5, None, 10),
        "ModelAverage: min_average_window got NoneType None, needs a number",
    ),
    "an epoch": (
        lambda: D.MultiStepDecay(0.5, [2, 5]).epoch("x"),
        "MultiStepDecay.epoch: epoch got str 'x', needs a number",
    ),
    "numbers of chunks": (
        lambda: fluid.metrics.ChunkEvaluator().update(10, 8, np.ones([2, 3], "int64")),
        r"ChunkEvaluator.update: num_correct_chunks got ndarray of shape \[2, 3\] .*, needs one number",
    ),
    "truths": (
        _imperative(lambda: fluid.layers.linspace(True, False, 3, "bool")),
        r"linspace: Input\(Start\) got dtype bool, needs numbers",
    ),
    "a function of names": (lambda: _named(int), "unique_name: new_generator got type <class 'int'>, which raised ValueError"),
    "a large batch": (lambda: batch(lambda: iter(()), 2**70), "paddle.batch: batch_size got int .*, needs a positive integer, "),
    "no structure": (lambda: map_structure(len), "map_structure: structure got nothing, needs at least one structure"),
    "a new name": (
        lambda: RenameTransformer(__import__("ast").parse("x")).rename("x", fluid.ParamAttr()),  # type: ignore[arg-type]
        "RenameTransformer.rename: new_name got ParamAttr .*, needs a text",
    ),
    "levels": (lambda: fluid.data("x", [2], lod_level=2**70), "data: lod_level got int .*, needs the number of levels"),
    "a large dimension": (lambda: fluid.data("x", [2**70]), "data: shape got .*, needs sizes below 2\\*\\*63"),
    "an axis of an array": (
        lambda: fluid.layers.tensor_array_to_tensor(
            fluid.layers.array_write(fluid.layers.ones([2, 1], "float32"), fluid.layers.zeros([1], "int64")), axis=2
        ),
        "tensor_array_to_tensor: axis got 2, needs an axis from -2 to 1",
    ),
    "no channels": (_imperative(lambda: D.Conv2D(False, 3, 3)), "Conv2D: num_channels got bool False, needs 1 or more"),
    "no filters": (_imperative(lambda: D.Conv3D(3, 0, 3)), "Conv3D: num_filters got int 0, needs 1 or more"),
    "rows without values": (
        lambda: SelectedRows(np.zeros(3, "int64"), np.ones([2, 3]), 4),
        r"SelectedRows: values got ndarray of shape \[2, 3\] .*, needs 3 entries, one for each row",
    ),
    "an attribute of a parameter": (
        _imperative(lambda: paddle.nn.GroupNorm(8, 4, param_attr=np.arange(4))),
        r"GroupNorm: param_attr got ndarray of shape \[4\] .*, needs what its description says",
    ),
    "more elements than addresses": (
        lambda: fluid.layers.create_parameter([2**40, 2**40], "float32"),
        "create_parameter: shape got .*, needs at most 1152921504606846975 elements",
    ),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_wrong_value_is_named(call: tuple[Callable[[], Any], str]) -> None:
    run, text = call
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(EnforceNotMet, match=text):
        run()


def test_a_parameter_that_does_not_fit_in_memory_is_named() -> None:
    needs = r"create_parameter: shape got \[1099511627776, 2, 3\], needs sizes that fit in memory"
    with D.guard(), pytest.raises(TooLargeError, match=needs) as caught:
        D.Linear(3, 4).create_parameter([2**40, 2, 3])
    assert isinstance(caught.value, MemoryError)


@pytest.mark.parametrize("flag", [np.bool_(True), True])
def test_a_shape_that_does_not_fit_is_said_for_every_kind_of_bool(flag: Any) -> None:
    for guard in (D.guard(), fluid.program_guard(fluid.Program())):
        with guard, pytest.raises(EnforceNotMet, match=r"Y of shape \[5, 2, 3\] transposed"):
            x = fluid.layers.ones([5, 2, 3], "float32")
            fluid.layers.matmul(x, x, True, flag)
