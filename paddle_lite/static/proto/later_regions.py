"""Regions of images: PaddlePaddle 1.8.5 separates those of each image by a LoD, 2.0 and later by their counts."""

from __future__ import annotations

from ..program.block import Block
from ..program.operator import Operator
from .between import between


def _under_lod(block: Block, x: str, counts: str) -> tuple[str, Operator]:
    """Return the name of an array with the LoD that counts say, and the operator that makes it."""
    name = between(block, x)
    return name, Operator(block, "lod_of_counts", {"X": [x], "Counts": [counts]}, {"Out": [name]}, {})


def _counted(block: Block, x: str, out: str, counts: str) -> Operator:
    """Return the operator that gives an array without its LoD, and the counts that the LoD says."""
    return Operator(block, "counts_of_lod", {"X": [x]}, {"Out": [out], "Counts": [counts]}, {})


def by_lod(
    op: Operator, type: str, given: dict[str, str], made: dict[str, str], keep_lod: bool = False
) -> list[Operator]:
    """Return operators that give arrays the LoD of their counts, compute, and count what comes out.

    Arguments:
        type: the operator of 1.8.5.
        given: slot of counts -> slots of the arrays that they count, separated by spaces. made: the same of results.
        keep_lod: whether the results have their LoD in later versions, too.
    """
    block, before, behind = op.block, [], []
    inputs = {slot: names for slot, names in op.inputs.items() if slot not in given}
    outputs = {slot: names for slot, names in op.outputs.items() if slot not in made}
    for counts, slots in given.items():
        for slot in slots.split() if op.inputs.get(counts) else ():
            pairs = [_under_lod(block, x, n) for x, n in zip(op.inputs[slot], op.inputs[counts], strict=True)]
            inputs[slot] = [name for name, _ in pairs]
            before += [each for _, each in pairs]
    for counts, slots in made.items():
        wanted = op.outputs.get(counts) or ()
        for at, slot in enumerate(slots.split() if wanted else ()):
            named = []
            for out, count in zip(op.outputs.get(slot) or (), wanted, strict=True):
                own = count if at == 0 else between(block, count, (-1,))
                held = out if keep_lod else between(block, out, (-1, -1))
                behind.append(_counted(block, held, between(block, out, (-1, -1)) if keep_lod else out, own))
                named.append(held)
            outputs[slot] = named
    known = {name: value for name, value in op.attrs.items() if name != "pixel_offset"}
    return [*before, Operator(block, type, inputs, outputs, known), *behind]


def pooled(op: Operator) -> list[Operator]:
    """Pool regions, whose numbers come with the images."""
    return by_lod(op, op.type, {"RoisNum": "ROIs"}, {})


def chosen(op: Operator) -> list[Operator]:
    """Choose boxes without a LoD, and count those of each image."""
    type = "multiclass_nms2" if op.type == "multiclass_nms3" else op.type
    given = {"RoisNum": "BBoxes Scores"} if op.type == "multiclass_nms3" else {}
    return by_lod(op, type, given, {_COUNTS[op.type]: "Out Index"})


def proposed(op: Operator) -> list[Operator]:
    """Propose regions, and count those of each image."""
    return by_lod(op, op.type, {}, {"RpnRoisNum": "RpnRois RpnRoiProbs"})


def distributed(op: Operator) -> list[Operator]:
    """Distribute regions over the levels by their size; without pixel_offset a box from 2 to 5 is 3 wide."""
    type = op.type if op.attrs.get("pixel_offset", True) else "distribute_fpn_proposals_half_pixel"
    return by_lod(op, type, {"RoisNum": "FpnRois"}, {"MultiLevelRoIsNum": "MultiFpnRois"}, keep_lod=True)


def collected(op: Operator) -> list[Operator]:
    """Collect the best regions of several levels, each counted, and count those of each image."""
    given = {"MultiLevelRoIsNum": "MultiLevelRois MultiLevelScores"}
    return by_lod(op, op.type, given, {"RoisNum": "FpnRois"}, keep_lod=True)


_COUNTS = {"multiclass_nms3": "NmsRoisNum", "matrix_nms": "RoisNum"}
