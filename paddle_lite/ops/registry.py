"""Every declared operator by its type."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..core.errors import NotYetAvailable

if TYPE_CHECKING:
    from .spec import OpDef

FAMILIES = (
    "activation",
    "parametric",
    "elementwise",
    "compare",
    "math",
    "matmul",
    "linalg",
    "distance",
    "reduce",
    "conv",
    "conv_transpose",
    "conv3d",
    "deformable_conv",
    "pool",
    "unpool",
    "norm",
    "group_norm",
    "lrn",
    "data_norm",
    "inplace_abn",
    "shape",
    "index",
    "select",
    "sort",
    "scatter",
    "padding",
    "rearrange",
    "channels",
    "interpolate",
    "grid",
    "patches",
    "feature_maps",
    "position",
    "fill",
    "embedding",
    "embedding_pool",
    "rnn_unit",
    "lstm",
    "gru",
    "cudnn_lstm",
    "row_conv",
    "sequence",
    "sequence_shape",
    "sequence_ids",
    "sequence_match",
    "tree_conv",
    "nce",
    "hsigmoid",
    "sample_logits",
    "crf",
    "beam",
    "ctc",
    "sequence_metric",
    "loss",
    "loss_pairs",
    "loss_classes",
    "random",
    "printing",
    "metric",
    "click",
    "sparse_rows",
    "quantize",
    "detection_boxes",
    "detection_map",
    "detection_match",
    "detection_select",
    "detection_pool",
    "detection_perspective",
    "detection_loss",
    "detection_proposals",
    "detection_targets",
    "detection_retinanet",
    "optimizer",
    "newer",
    "newer_interpolate",
    "newer_numbers",
)

_ops: dict[str, OpDef] = {}
only_in_programs: dict[str, OpDef] = {}
"""Operators that static mode declares for itself: it puts them here when it is loaded."""
_loaded = False


def register(op: OpDef) -> OpDef:
    """Add an operator, and its gradient operator; a type may be declared once only."""
    if op.type in _ops:
        raise TypeError(f"operator {op.type} is declared twice")
    _ops[op.type] = op
    if op.grad is not None and op.grad.op is not None:
        register(op.grad.op)
    return op


def load_all() -> None:
    """Import every operator family."""
    global _loaded
    if not _loaded:
        for family in FAMILIES:
            importlib.import_module(f"{__package__}.{family}")
        _loaded = True


def get(type: str) -> OpDef:
    """The operator of this type."""
    if type not in _ops:
        load_all()
    try:
        return _ops[type]
    except KeyError:
        raise NotYetAvailable(f"operator {type!r} is not available in this version of paddle_lite") from None


def all_ops() -> Iterator[OpDef]:
    """All operators, by name; gradient operators included (`op.forward` is set on those)."""
    load_all()
    for name in sorted(_ops):
        yield _ops[name]
