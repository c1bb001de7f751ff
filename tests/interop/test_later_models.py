"""Models that PaddlePaddle 2.6.2 saved give its numbers: `later_models.py` made them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid

RECORDED = np.load(Path(__file__).parent / "data" / "later_models.npz")
NAMES = sorted({name.split("/")[0] for name in RECORDED.files})


def of(name: str, kind: str) -> list[np.ndarray]:
    """What was recorded of a model: its inputs, results or LoDs."""
    return [RECORDED[f"{name}/{kind}{i}"] for i in range(sum(f.startswith(f"{name}/{kind}") for f in RECORDED.files))]


@pytest.mark.parametrize("name", NAMES)
def test_a_model_of_2_6(name: str, tmp_path: Path) -> None:
    for end in ("pdmodel", "pdiparams"):
        (tmp_path / f"m.{end}").write_bytes(RECORDED[f"{name}/{end}"].tobytes())
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, targets = fluid.io.load_inference_model(str(tmp_path), exe, "m.pdmodel", "m.pdiparams")
        assert program.lint() == []
        feed = dict(zip(feeds, of(name, "in"), strict=True))
        found = exe.run(program, feed=feed, fetch_list=targets, return_numpy=False)
    for tensor, known, lod in zip(found, of(name, "out"), of(name, "lod"), strict=True):
        array = np.array(tensor)
        assert (array.shape, array.dtype) == (known.shape, known.dtype)
        np.testing.assert_allclose(array, known, rtol=1e-5, atol=1e-6)
        assert [list(level) for level in tensor.lod()] == lod.tolist()
