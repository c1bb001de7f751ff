"""The passes that rewrite a Plan's graph before its function is written.

Each pass reads the function graph and returns new instructions for the operators that it optimizes. An operator belongs
to one unit at most, so the order of the passes matters. FLAGS_plan_passes selects the passes that run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from ....core import flags
from ....core.errors import ArgumentValueError, message
from ....kernels.availability import jit_available
from ..fusion.groups import fuse
from ..graph import FunctionGraph
from ..ir import Instruction
from .alike import join_alike
from .chains import roll_chains
from .channels import put_channels_last
from .concats import split_concats
from .constants import fold_constants
from .copies import drop_copies
from .dots import call_dots
from .epilogue import join_epilogues
from .factors import share_factors
from .landing import land_blocks
from .loops import compile_loops
from .products import join_products
from .shapes import take_views
from .steps import batch_steps
from .tables import join_tables
from .transposes import drop_transposes
from .unread import drop_unread
from .updates import group_updates
from .weights import pack_weights

FLAG = "FLAGS_plan_passes"
Pass = Callable[[FunctionGraph], Iterable[Instruction]]
PASSES: dict[str, Pass] = {
    "updates": group_updates, "landing": land_blocks, "constants": fold_constants, "copies": drop_copies, "transposes": drop_transposes,
    "concats": split_concats, "steps": batch_steps, "unread": drop_unread, "products": join_products,
    "tables": join_tables, "alike": join_alike,
    "factors": share_factors, "weights": pack_weights, "shapes": take_views, "dots": call_dots, "channels": put_channels_last,
    "epilogue": join_epilogues, "fuse": fuse, "chains": roll_chains, "loops": compile_loops,
}  # fmt: skip
COMPILING = frozenset({"fuse", "chains", "loops"})
"""Passes that compile new kernels, which pays only for Plans that run many times."""
ON_GPU = frozenset({"updates", "unread", "fuse"})
"""Passes that apply to Plans on a GPU; the others call functions of the CPU."""
CALLING = COMPILING | {"updates", "channels", "epilogue", "tables", "weights"}
"""Passes whose instructions call compiled kernels; those of the others have a form of NumPy."""


def chosen(text: str) -> frozenset[str]:
    """Return the passes that FLAGS_plan_passes selects: "all", "none", names, or disabled names ("-fuse,-shapes").

    Raises:
        ArgumentValueError: the text names an unknown pass.
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
    """Return the enabled passes."""
    return _chosen


def usable(passes: frozenset[str]) -> frozenset[str]:
    """Return those of the passes that can be applied in this process: without a compiler, those that need none."""
    return passes if jit_available() else passes - CALLING


def rewrite(graph: FunctionGraph, passes: Collection[str]) -> FunctionGraph:
    """Return the graph after these passes, which run in the order of PASSES: those of COMPILING are the last.

    The graph keeps the result of the others, with which two functions of a Plan start.
    """
    first = frozenset(passes) - COMPILING
    found = graph.rewritten_by.get(first)
    if found is None:
        found = graph
        for name, run in PASSES.items():
            if name in first:
                found = found.replaced(run(found))
        graph.rewritten_by = {first: found}
    for name, run in PASSES.items():
        if name in COMPILING and name in passes:
            found = found.replaced(run(found))
    return found
