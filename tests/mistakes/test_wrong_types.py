"""Wrong types that a random caller passes most: each error names the call, the argument, what came and what is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.distributed.fleet.collective import TrainStatus
from paddle_lite.distributed.transpiler.tables import find_distributed_lookup_table
from paddle_lite.fluid.internals.checking import check_type
from paddle_lite.fluid.internals.operators import create_op_creation_method
from paddle_lite.static.autodiff.gradient_clip import set_gradient_clip

CLIP = fluid.clip.GradientClipByValue(0.5)

CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "a generator of names": (
        lambda: fluid.unique_name.switch(fluid.LoDTensor()),
        r"unique_name.switch: new_generator got LoDTensor .*, needs a UniqueNameGenerator, another function from a key to a name, or None",
    ),
    "a guard of names": (lambda: fluid.unique_name.guard(3).__enter__(), "unique_name.guard: new_generator got int 3"),
    "a checker of names": (
        lambda: fluid.unique_name.switch(None, 1),
        r"unique_name.switch: new_para_name_checker got int 1, needs a ParameterNameChecker",
    ),
    "an OpProto": (lambda: create_op_creation_method("relu"), "op_proto got str 'relu', needs a message OpProto"),
    "a type": (lambda: check_type(1, "x", 1.5, "relu"), "check_type: expected_type got float 1.5, needs a type"),
    "a type of several": (lambda: check_type(1, "x", (int, "a"), "relu"), "expected_type got tuple .*, needs a type"),
    "a Program of tables": (
        lambda: find_distributed_lookup_table(fluid.ParamAttr()),
        "find_distributed_lookup_table: program got ParamAttr .*, needs a fluid.Program",
    ),
    "a Program to clip": (
        lambda: set_gradient_clip(CLIP, program=range(3)),
        "set_gradient_clip: program got range .*, needs a fluid.Program",
    ),
    "parameters to clip": (
        lambda: set_gradient_clip(CLIP, {1, 2}),
        "set_gradient_clip: param_list got set .*, needs a list of parameters",
    ),
    "no list of parameters": (lambda: set_gradient_clip(CLIP, fluid.Executor()), "param_list got Executor"),
    "an epoch": (lambda: TrainStatus("x"), "TrainStatus: epoch_no got str 'x', needs an int"),  # type: ignore[arg-type]
    "a norm": (
        lambda: fluid.clip.GradientClipByNorm(np.ones([2, 3])),
        r"GradientClipByNorm: clip_norm got ndarray of shape \[2, 3\] .*, needs a number",
    ),
    "a count of steps": (
        lambda: fluid.dygraph.CosineDecay(0.1, 2, 3, begin={1}),
        "CosineDecay: begin got set .*, needs a number",
    ),
    "a size of steps": (lambda: fluid.dygraph.NoamDecay(8, 2, step=...), "NoamDecay: step got ellipsis"),
    "an array of objects": (
        lambda: fluid.dygraph.NoamDecay(np.array([None]), 2),
        "NoamDecay: d_model got ndarray .*, needs a number, or a Variable of one element",
    ),
    "a schedule's rate": (
        lambda: fluid.layers.noam_decay(8, 2, object()),
        "noam_decay: learning_rate got object .*, needs a number, or a Variable of one element",
    ),
    "a schedule's steps": (lambda: fluid.layers.cosine_decay(None, 1, 2), "cosine_decay: learning_rate got NoneType"),
    "a warmup's steps": (
        lambda: fluid.layers.linear_lr_warmup([None], 2, 0.0, 0.5),
        "linear_lr_warmup: learning_rate got list .*, needs a number",
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_wrong_type_is_named(call: tuple[Callable[[], Any], str]) -> None:
    run, text = call
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(ArgumentTypeError, match=text):
        run()
