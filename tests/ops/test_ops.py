"""Every operator against real Paddle's numbers, its own reference, its own gradient and its own inference."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.spec import OpDef
from tests.ops import checks, differences, inference, programs
from tests.ops.row import Row
from tests.ops.rows_of import ALL

CHECKS: tuple[Callable[[OpDef, Row], None], ...] = (
    checks.references_equal_paddle,
    checks.calls_equal_paddle,
    checks.references_use_xp,
    checks.kernels_equal_references,
    checks.calls_equal_references,
    differences.gradients_equal_differences,
    differences.gradients_come_alone,
    differences.double_gradients_equal_differences,
    checks.strides_do_not_matter,
    checks.memory_is_kept_apart,
    inference.inference_equals_results,
    programs.programs_equal_calls,
    checks.bad_calls_raise,
    programs.bad_calls_raise_the_same_in_programs,
    checks.wrong_kinds_raise,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("row", [row for _, row in ALL], ids=[row.op for _, row in ALL])
def test_operator(row: Row, check: Callable[[OpDef, Row], None]) -> None:
    check(registry.get(row.op), row)
