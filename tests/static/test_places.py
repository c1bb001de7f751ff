"""Lists of places in Programs; the expected values are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.fluid.layers.device import get_places
from paddle_lite.ops.framework.registry import only_in_programs


def test_a_program_with_a_list_of_places_runs() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        places = [get_places(), get_places(device_count=4), get_places(2, "CPU")]
        one = fluid.layers.fill_constant([1], "float32", 1.0)
    assert [each.type for each in places] == [fluid.core.VarDesc.VarType.PLACE_LIST] * 3
    assert [op.type for op in main.global_block().ops[:3]] == ["get_places"] * 3
    assert fluid.Executor(fluid.CPUPlace()).run(main, fetch_list=[one])[0].tolist() == [1.0]
    assert fluid.Executor(fluid.CPUPlace()).run(main) == []


def test_the_operator_lists_places() -> None:
    places = only_in_programs["get_places"].reference(None, device_count=3, device_type="CPU")
    assert places == [fluid.CPUPlace()] * 3


@pytest.mark.parametrize(
    ("count", "kind", "error"), [("2", None, ArgumentTypeError), (2, "cpu", ArgumentValueError), (2, "XPU", ValueError)]
)
def test_wrong_calls(count: Any, kind: Any, error: type[Exception]) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(error, match="get_places: device_"):
        get_places(count, kind)


def test_an_attribute_of_another_device_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="get_places: attribute 'device_type' got 'XPU'"):
        only_in_programs["get_places"].reference(None, device_count=0, device_type="XPU")


def test_not_in_imperative_mode() -> None:
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="cpu_places"):
        get_places()
