"""Plans and the translation of source name no operator but those of control flow, which only Programs have."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddle_lite.ops.framework import registry

from .operator_names import operator_name_complaints
from .test_checks import plant

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"relu", "elementwise_add", "sum", "shape", "scale", "reduce_all"}
ATTRIBUTES = {"scale", "reduce_all"}


def test_plans_and_the_translation_name_no_operator() -> None:
    types = {op.type for op in registry.all_ops()} - set(registry.only_in_programs)
    attributes = {name for op in registry.all_ops() for name in op.attrs}
    assert len(types) > 400
    assert operator_name_complaints(ROOT, types, attributes) == []


@pytest.mark.parametrize(
    "text",
    [
        "if step.type == 'elementwise_add': pass",
        "ALIKE = ('relu',)",
        "COSTS = {'relu': 1}",
        "FRESH = frozenset({'sum', 'scale'})",
        "if op.type in ('shape',): pass",
        "if type != 'scale': pass",
        "block.append_op('scale', {}, {})",
        "kernel_of(registry.get('sum'), 'cpu')",
        "op.attr('reduce_all') and op.type == 'reduce_all'",
    ],
)
@pytest.mark.parametrize("file", ["static/plan/passes/a.py", "jit/a.py"])
def test_a_name_is_found(tmp_path: Path, file: str, text: str) -> None:
    plant(tmp_path, {file: f'"""Of relu."""\n{text}\n'})
    complaints = operator_name_complaints(tmp_path, TYPES, ATTRIBUTES)
    assert complaints
    assert all(complaint.startswith(f"paddle_lite/{file}:2 names the operator") for complaint in complaints)


@pytest.mark.parametrize(
    "text",
    [
        "__slots__ = ('shape', 'type')",
        "total = builder.row('sum', node)",
        "factor = op.attr('scale') * attrs.get('reduce_all')",
        "if op.type == 'while': pass",
        "print(f'relu')",
        "if unit.kind == 'sum': pass",
        "KINDS = frozenset({'sum', 'fused'})",
    ],
)
def test_a_word_is_no_name(tmp_path: Path, text: str) -> None:
    plant(tmp_path, {"static/plan/a.py": text, "static/program/a.py": "append_op('relu')", "ops/a.py": "op('relu')"})
    assert operator_name_complaints(tmp_path, TYPES, ATTRIBUTES) == []
