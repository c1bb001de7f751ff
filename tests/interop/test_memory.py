"""What files take of memory: as much as they are long, whatever sizes they name."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import EnforceNotMet

HUGE = 2**40


def peak(call: Callable[[], Any]) -> int:
    """Return the most bytes that a call holds at a time."""
    call()  # what is imported and remembered at first
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def program_of(operators: int, shape: list[int]) -> bytes:
    """Return the file of a Program with some operators."""
    program = fluid.Program()
    with fluid.program_guard(program):
        x = fluid.data("x", shape, "float32")
        for _ in range(operators):
            x = fluid.layers.scale(x, 2.0)
    return program.desc.serialize_to_string()


def test_a_program_takes_memory_in_proportion_to_its_file() -> None:
    small, large = program_of(50, [4]), program_of(200, [4])
    ratio = len(large) / len(small)
    assert peak(lambda: fluid.Program.parse_from_string(large)) < 1.5 * ratio * peak(
        lambda: fluid.Program.parse_from_string(small)
    )


def test_shapes_that_a_program_names_take_no_memory_until_it_runs() -> None:
    small, huge = program_of(20, [4, 4]), program_of(20, [HUGE, HUGE])
    assert peak(lambda: fluid.Program.parse_from_string(huge)) < 2 * peak(
        lambda: fluid.Program.parse_from_string(small)
    )


def test_an_array_that_does_not_fit_is_an_error() -> None:
    program = fluid.Program()
    with fluid.program_guard(program):
        out = fluid.layers.fill_constant([HUGE, HUGE], "float32", 1.0)
        out = fluid.layers.reduce_sum(out)
    loaded = fluid.Program.parse_from_string(program.desc.serialize_to_string())
    with pytest.raises(EnforceNotMet, match="fill_constant"):
        fluid.Executor(fluid.CPUPlace()).run(loaded, fetch_list=[out.name])


def test_a_description_of_data_takes_memory_in_proportion_to_its_file(tmp_path: Path) -> None:
    def described(slots: int) -> str:
        path = tmp_path / f"{slots}.prototxt"
        one = 'slots {{ name: "s{}" type: "uint64" is_dense: false is_used: true }}'
        path.write_text(
            'name: "MultiSlotDataFeed" batch_size: 2 multi_slot_desc { '
            + " ".join(one.format(i) for i in range(slots))
            + " }"
        )
        return str(path)

    small, large = described(50), described(200)
    assert peak(lambda: fluid.DataFeedDesc(large)) < 6 * peak(lambda: fluid.DataFeedDesc(small))
