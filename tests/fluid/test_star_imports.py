"""`from module import *` gives what it gives in PaddlePaddle 1.8.5."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy
import pytest

import paddle_lite.fluid as fluid


def star(module: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(f"from {module} import *", found)
    return found


def test_a_file_without_all_gives_what_it_imports_for_itself() -> None:
    found = star("paddle_lite.common_ops_import")
    wanted = {
        "LayerHelper": fluid.layer_helper.LayerHelper,
        "core": fluid.core,
        "in_dygraph_mode": fluid.framework.in_dygraph_mode,
        "numpy": numpy,
        "reduce": functools.reduce,
        "warnings": warnings,
        "dygraph_only": fluid.framework.dygraph_only,
    }
    assert {name: found.get(name) for name in wanted} == wanted
    assert "np" in star("paddle_lite.fluid.layers.utils")
    assert {"copy", "defaultdict", "NodeVarType"} <= star(
        "paddle_lite.fluid.dygraph.dygraph_to_static.ifelse_transformer"
    ).keys()


@pytest.mark.parametrize("module", ["paddle_lite.fluid", "paddle_lite.fluid.layers", "paddle_lite.fluid.dygraph.nn"])
def test_a_file_with_all_gives_no_more(module: str) -> None:
    assert not {"np", "numpy", "os", "six", "LayerHelper"} & star(module).keys()


def test_the_flags_are_among_the_names_of_framework() -> None:
    assert {"set_flags", "get_flags", "Program"} <= star("paddle_lite.fluid.framework").keys()
    assert "OpProtoHolder" not in star("paddle_lite.fluid.framework")
