"""The passes that a Plan's operators go through before its function is written.

Each pass looks at the function graph and returns new instructions for operators that run as one, or otherwise than by themselves.
An operator belongs to one unit at most, so the order matters. FLAGS_plan_passes says which passes run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from ....core import flags
from ....core.errors import ArgumentValueError, message
from ..fusion.groups import fuse
from ..graph import FunctionGraph
from ..ir import Instruction
from .concats import split_concats
from .constants import fold_constants
from .copies import drop_copies
from .dots import call_dots
from .epilogue import join_epilogues
from .factors import share_factors
from .products import join_products
from .shapes import take_views
from .steps import batch_steps
from .transposes import drop_transposes
from .unread import drop_unread
from .updates import group_updates

FLAG = "FLAGS_plan_passes"
Pass = Callable[[FunctionGraph], Iterable[Instruction]]
PASSES: dict[str, Pass] = {
    "updates": group_updates, "constants": fold_constants, "copies": drop_copies, "transposes": drop_transposes,
    "concats": split_concats, "steps": batch_steps, "unread": drop_unread, "products": join_products,
    "factors": share_factors, "shapes": take_views, "dots": call_dots, "epilogue": join_epilogues, "fuse": fuse,
}  # fmt: skip
COMPILING = frozenset({"fuse"})
"""Passes that compile kernels of their own, which only what runs many times earns back."""


def chosen(text: str) -> frozenset[str]:
    """The passes that FLAGS_plan_passes names: "all", "none", names with commas, or what is left out ("-fuse,-shapes").

    Raises:
        ArgumentValueError: there is no such pass.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    unknown = [w for w in words if w.lstrip("-") not in PASSES and w not in ("all", "none")]
    if unknown:
        needs = f"all, none, or some of {', '.join(PASSES)}, each with a - before it to leave it out"
        raise ArgumentValueError(message("set_flags", FLAG, repr(unknown[0]), needs))
    left_out = {word[1:] for word in words if word.startswith("-")}
    named = {word for word in words if not word.startswith("-")}
    if "all" in named or not named:
        named = set(PASSES)
    return frozenset(named - left_out - {"none"})


_chosen = chosen(flags.get_flags(FLAG)[FLAG])


def _changed(text: Any) -> None:
    global _chosen
    _chosen = chosen(text)


flags.watch(FLAG, _changed)


def switched_on() -> frozenset[str]:
    """The passes that are on."""
    return _chosen


def rewrite(graph: FunctionGraph, passes: Collection[str]) -> FunctionGraph:
    """Return what these passes make of a graph, in their order."""
    for name, run in PASSES.items():
        if name in passes:
            graph = graph.replaced(run(graph))
    return graph
