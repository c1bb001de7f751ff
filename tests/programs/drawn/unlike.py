"""What real PaddlePaddle 1.8.5 computes otherwise in a Program, by the operators that values follow from (docs/differences.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

REDUCTIONS = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
PART_OF_RANK_5 = "a reduction of some dimensions of rank 5 or more, whose result Paddle does not write"
WHOLE_KEPT = "the gradient of a full reduce_sum with keep_dim, of which Paddle writes one element"
# Paddle's gradients of these multiply by 0 what they do not let through, which makes NaN of NaN and infinity
SELECT = frozenset((
    "relu", "relu6", "brelu", "elu", "soft_relu", "thresholded_relu", "hard_sigmoid", "hard_swish", "hard_shrink", "softshrink",
    "elementwise_max", "elementwise_min", "reduce_max", "reduce_min", "reduce_prod", "sequence_pool",
))  # fmt: skip
# these make a number of NaN in Paddle, whose vectors of exp and of comparisons have none
NUMBERS = frozenset((
    "exp", "tanh", "sigmoid", "stanh", "soft_relu", "sign", "softmax", "sequence_softmax", "softmax_with_cross_entropy",
    "cross_entropy", "elementwise_max", "elementwise_min", "reduce_max", "reduce_min", "pool2d", "sequence_pool", "dropout",
    "logsigmoid", "swish", "softplus", "tanh_shrink", "log_loss", "lstm", "lstmp", "gru",
))  # fmt: skip


def unwritten(program: Any) -> dict[str, str]:
    """The names of Variables whose values in Paddle follow from memory that nothing wrote, and why."""
    return _following(program, _unwritten_by)


def multiplied(program: Any) -> set[str]:
    """The names of results of matmul, and of what follows from them."""
    return set(_following(program, lambda op: "matmul" if op.type.removesuffix("_grad") == "matmul" else ""))


def emptied(name: str, theirs: Any, ours: Any, products: set[str]) -> bool:
    """Whether one of two arrays is empty for a known reason.

    Paddle takes an empty batch for none in matmul, from which `products` follow. It leaves the gradient of what only a part
    that does not run reads empty, where zeros are given here.
    """
    if theirs.size == 0 < ours.size:
        return name.endswith("@GRAD") and not ours.any()
    return ours.size == 0 < theirs.size and name in products


def masked(program: Any) -> set[str]:
    """The names of gradients that are NaN in Paddle where paddle_lite selects."""
    return set(
        _following(program, lambda op: "a mask" if op.type.removesuffix("_grad") in SELECT and _backward(op) else "")
    )


def unstated(program: Any) -> set[str]:
    """The names of gradients that are NaN here, where Paddle leaves a first state of zeros out of products."""
    backward = {"gru_grad", "lstm_grad", "lstmp_grad"}
    return set(
        _following(program, lambda op: "no first state" if op.type in backward and not op.inputs.get("H0") else "")
    )


def numbered(program: Any) -> set[str]:
    """The names of values that may be numbers in Paddle where they are NaN here."""
    return set(_following(program, lambda op: "a number of NaN" if op.type in NUMBERS else ""))


def _following(program: Any, starts: Callable[[Any], str]) -> dict[str, str]:
    """The names of the results of operators for which starts(op) tells why, and of all that follow from those."""
    found: dict[str, str] = {}
    operators = [op for block in program.blocks for op in block.ops]
    count = -1
    while count != len(found):  # blocks run again, and gradients of blocks name what these wrote
        count = len(found)
        for op in operators:
            reason = starts(op) or next((found[n] for n in _read(op) if n in found), "")
            for name in op.output_arg_names if reason else ():
                found.setdefault(name, reason)
    return found


def _read(op: Any) -> list[str]:
    """What the results of an operator follow from, those of its block among them."""
    names = list(op.input_arg_names)
    if "sub_block" in op.attrs:
        names += [name for each in op.attrs["sub_block"].ops for name in each.output_arg_names]
    return names


def _backward(op: Any) -> bool:
    return op.type.endswith("_grad")


def _unwritten_by(op: Any) -> str:
    """Why Paddle leaves results of this operator unwritten; "" if it does not."""
    if op.type.removesuffix("_grad") not in REDUCTIONS:
        return ""
    rank = len(op.block._find_var_recursive(op.input("X")[0]).shape)
    if op.attr("reduce_all"):
        return WHOLE_KEPT if _backward(op) and op.attr("keep_dim") and rank > 1 else ""
    return PART_OF_RANK_5 if rank > 4 and not _backward(op) else ""


__all__ = ["emptied", "masked", "multiplied", "numbered", "unstated", "unwritten"]
