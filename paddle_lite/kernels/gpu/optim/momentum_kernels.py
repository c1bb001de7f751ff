"""GPU kernels of momentum and lars_momentum."""

from __future__ import annotations

from ...registry import array_module
from ..device.kernel import accumulated, launch
from ..support.shape import MOST_THREADS, blocks_for
from .norms import lars_update, squares_of_parts
from .updates import Together, Update, parts_of, update


def _lars(update: Update, these: Together) -> None:
    xp, sizes, given = array_module("gpu"), these.sizes, these.given
    parts, dtype = parts_of(these), accumulated({"T": given["Param"][0].dtype})
    sums = []
    for slot in ("Param", "Grad"):
        sums.append(xp.empty(len(sizes) * parts, dtype))
        launch(squares_of_parts, parts, MOST_THREADS, len(sizes), sizes, given[slot], sums[-1])
    arrays = [given[slot] for slot in ("LearningRate", "Param", "Grad", "Velocity")]
    made = these.made["Param"], these.made["Velocity"]
    grid = blocks_for(max(sizes)), MOST_THREADS
    launch(lars_update, *grid, len(sizes), sizes, *arrays, *made, *sums, parts, *these.numbers)


update("momentum", "Param Grad Velocity LearningRate", "Param Velocity", "mu use_nesterov")
update(
    "lars_momentum", "Param Grad Velocity LearningRate", "Param Velocity", "mu lars_coeff lars_weight_decay",
    launches=_lars,
)  # fmt: skip
