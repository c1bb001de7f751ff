"""GPU kernels of adam, adamax and lamb."""

from __future__ import annotations

from ...registry import array_module
from ..device.kernel import accumulated, launch
from ..support.shape import MOST_THREADS, blocks_for
from .norms import lamb_moments, lamb_update
from .updates import Together, Update, parts_of, update


def _lamb(update: Update, these: Together) -> None:
    xp, sizes, given, made = array_module("gpu"), these.sizes, these.given, these.made
    parts, dtype = parts_of(these), accumulated({"T": given["Param"][0].dtype})
    sums = [xp.empty(len(sizes) * parts, dtype) for _ in range(2)]
    moments = made["Moment1"], made["Moment2"]
    before = [given[slot] for slot in ("Param", "Grad", "Moment1", "Moment2")]
    launch(lamb_moments, parts, MOST_THREADS, len(sizes), sizes, *before, *moments, *sums, *these.numbers)
    decay, *_, epsilon = these.numbers
    arrays = given["LearningRate"], given["Param"], *moments, made["Param"]
    grid = blocks_for(max(sizes)), MOST_THREADS
    launch(lamb_update, *grid, len(sizes), sizes, *arrays, *sums, parts, decay, epsilon)


update(
    "adam", "Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow", "Param Moment1 Moment2 Beta1Pow Beta2Pow",
    "beta1 beta2 epsilon", more="Beta1Tensor Beta2Tensor", few=lambda attrs: attrs["lazy_mode"],
    ahead={"Beta1Pow": "beta1", "Beta2Pow": "beta2"},
)  # fmt: skip
update("adamax", "Param Grad LearningRate Moment InfNorm Beta1Pow", "Param Moment InfNorm", "beta1 beta2 epsilon")
update(
    "lamb", "Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow", "Param Moment1 Moment2",
    "weight_decay beta1 beta2 epsilon", launches=_lamb,
)  # fmt: skip
