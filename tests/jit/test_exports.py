"""Saved models with loops and branches compute what PaddlePaddle 1.8.5 made of them (record_exports.py)."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid

from .record_exports import KEPT, TRAINED, new, save

models = pytest.mark.parametrize("model_class", TRAINED, ids=lambda m: m.__name__)


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def recorded(model_class):
    """{file: its bytes}, [inputs of each example], [outputs]."""
    with np.load(KEPT) as kept:
        own = {k.split(": ", 1)[1]: kept[k] for k in kept.files if k.startswith(f"{model_class.__name__}: ")}
    files = {key[5:]: value.tobytes() for key, value in own.items() if key.startswith("file ")}
    sides: dict = {"in": {}, "out": {}}
    for key, value in own.items():
        if key[:5] != "file ":
            i, side, j = key.split()
            sides[side].setdefault(int(i), {})[int(j)] = value
    return files, *([[row[j] for j in sorted(row)] for _, row in sorted(sides[s].items())] for s in ("in", "out"))


def agree(folder, inputs, outputs):
    executor = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(str(folder), executor)
        assert "conditional_block" in {op.type for block in program.blocks for op in block.ops}
        for given, wanted in zip(inputs, outputs, strict=True):
            found = executor.run(program, feed=dict(zip(feeds, given, strict=True)), fetch_list=fetches)
            for a, b in zip(found, wanted, strict=True):
                assert a.shape == b.shape and a.dtype == b.dtype
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


@models
def test_a_saved_model_gives_what_paddle_gives(model_class, tmp_path):
    files, inputs, outputs = recorded(model_class)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    agree(tmp_path, inputs, outputs)


@models
def test_what_is_saved_now_gives_what_paddle_gave(model_class, tmp_path):
    files, inputs, outputs = recorded(model_class)
    old, fresh = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    for name, content in files.items():
        (old / name).write_bytes(content)
    executor = fluid.Executor(fluid.CPUPlace())
    model, scope = new(model_class), fluid.Scope()
    with fluid.scope_guard(scope):
        fluid.io.load_inference_model(str(old), executor)
    for parameter in model.net.parameters():
        held = scope.find_var(parameter.name)
        if held is not None:
            parameter.set_value(np.array(held.get_tensor()))
    model.net.eval()
    save(model, fresh, inputs[0])
    agree(fresh, inputs, outputs)


@models
def test_the_examples_go_other_ways(model_class):
    counts = [int(found[-1][0]) for found in recorded(model_class)[2]]  # of steps, rounds or looks
    assert len(set(counts)) > 1, counts
