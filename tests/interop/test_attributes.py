"""Operators of PaddlePaddle 2 with attributes that 1.8.5 does not have give its numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid

with np.load(Path(__file__).parent / "data" / "attributes.npz") as file:
    HELD = {name: file[name] for name in file.files}
CASES = sorted({name.split("/")[0] for name in HELD})


@pytest.mark.parametrize("case", CASES)
def test_numbers_of_paddle_2(case: str) -> None:
    known = {name.split("/")[1]: array for name, array in HELD.items() if name.split("/")[0] == case}
    program = fluid.Program.parse_from_string(known.pop("program").tobytes())
    wanted = known.pop("result")
    assert program.lint() == []
    again = fluid.Program.parse_from_string(program.desc.serialize_to_string())
    for each in (program, again):
        (found,) = fluid.Executor(fluid.CPUPlace()).run(each, feed=known, fetch_list=["result"])
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_the_cases() -> None:
    assert len(CASES) == 28
