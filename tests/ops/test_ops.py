"""Every operator against real Paddle's numbers, its own reference, its own gradient and its own inference."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.spec import OpDef
from tests.ops import checks, differences, inference, programs
from tests.ops.row import Row
from tests.ops.rows_of import ALL

Check = Callable[[OpDef, Row], None]
PARTS: dict[str, tuple[Check, ...]] = {
    "references": (checks.references_equal_paddle, checks.references_use_xp),
    "kernels": (checks.kernels_equal_references, checks.strides_do_not_matter, checks.memory_is_kept_apart),
    "calls": (checks.calls_equal_paddle, checks.calls_equal_references, inference.inference_equals_results),
    "gradients": (
        differences.gradients_equal_differences,
        differences.gradients_come_alone,
        differences.double_gradients_equal_differences,
    ),
    "programs": (programs.programs_equal_calls,),
    "errors": (checks.bad_calls_raise, programs.bad_calls_raise_the_same_in_programs, checks.wrong_kinds_raise),
}
"""The checks, several in a test: what a test itself costs is more than most of them take."""
CHECKS = tuple(check for part in PARTS.values() for check in part)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("row", [row for _, row in ALL], ids=[row.op for _, row in ALL])
def test_operator(row: Row, part: str) -> None:
    for check in PARTS[part]:
        check(registry.get(row.op), row)
