"""An inference model as a PyTorch module: its source and its weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...static.program.program import Program
from ..blocks import reachable
from ..call import PASSED_BY
from ..model import Model
from ..problems import Problem, Stopped, conversion_error
from . import cells, control, functions, layers, shapes
from .call import TABLE, Names
from .source import Source
from .walk import REASON, convert_block

FAMILIES = {"functions": functions, "layers": layers, "cells": cells, "shapes": shapes, "control": control}
"""The modules whose converters are in the table."""
TO = "torch"
LOADING = '''

def load(path):
    """Return the net with the weights of a .safetensors file, for inference."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = bytearray(file.read())
    dtypes = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "I64": torch.int64, "I32": torch.int32,
              "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}
    state = {}
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = entry["data_offsets"]
            held = torch.frombuffer(data[start:end], dtype=torch.uint8) if end > start else torch.empty(0, dtype=torch.uint8)
            state[name] = held.view(dtypes[entry["dtype"]]).reshape(entry["shape"])
    net = Net()
    net.load_state_dict(state)
    return net.eval()
'''


def operators() -> list[str]:
    """Return the types of operators that can be converted."""
    return sorted(TABLE)


def to_torch(model: Model, step: Callable[[str], None] = lambda text: None) -> tuple[str, Mapping[str, np.ndarray]]:
    """Convert an inference model.

    Arguments:
        model: what `read_model` returned.
        step: is told what is being done.

    Returns:
        (the source of a module with a class `Net` and a function `load`, the state dict of the net).

    Raises:
        ArgumentValueError: the model is not one for inference.
        ConversionError: operators have no counterpart; the text names each.
    """
    program = model.inference(TO)
    block = program.global_block()
    ops = [op for op in reachable(block) if op.type not in PASSED_BY]
    problems = [Problem(op, REASON) for op in ops if op.type not in TABLE]
    ragged = [name for name in model.feeds if model.variable(name).lod_level]
    if ragged and not problems:
        reader = next(op for op in ops if ragged[0] in op.input_arg_names)
        problems = [Problem(reader, f"its input {ragged[0]} has a LoD; the tensors of PyTorch have none")]
    if problems:
        raise conversion_error(TO, model.path, problems, len(ops))
    step(f"{len(ops)} operators")
    source = Source()
    scope = Names(source, reused=program.num_blocks == 1)
    scope.last = {name: op for op in block.ops if op.type != "fetch" for name in op.input_arg_names}
    scope.last = {name: op for name, op in scope.last.items() if name not in model.fetches}
    for name in model.feeds:
        scope.input(name)
    try:
        convert_block(block, model, scope)
    except Stopped as stopped:
        raise conversion_error(TO, model.path, [stopped.problem], len(ops)) from None
    return _text(model, program, source, scope), source.weights


def _text(model: Model, program: Program, source: Source, scope: Names) -> str:
    """Return the source."""
    inputs = [scope.held[name] for name in model.feeds]
    results = [scope.held[name] for name in model.fetches]
    needs = ["import json"] + (["import math"] if any("math." in line for line in source.lines) else [])
    described = [f"        {scope.held[n]}: {_described(model, n)}" for n in model.feeds]
    head = [
        '"""A net that `python -m paddle_lite convert --to torch` made."""', "", *needs, "", "import torch",
        "import torch.nn.functional as F", "from torch import nn", "", "",
        "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
        *[f"        {line}" for line in source.layers], "", f"    def forward({', '.join(['self', *inputs])}):",
        '        """Compute the outputs.', "", *described, '        """', *[f"        {line}" for line in source.lines],
        f"        return {', '.join(results)}",
    ]  # fmt: skip
    return "\n".join(head) + "\n" + LOADING


def _described(model: Model, name: str) -> str:
    from ...core.dtype import to_numpy

    variable = model.variable(name)
    shape = ", ".join("any" if n < 0 else str(n) for n in variable.shape)
    return f"{to_numpy(variable.dtype).name} [{shape}]"
