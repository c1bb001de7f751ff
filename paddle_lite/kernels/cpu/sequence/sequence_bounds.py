"""Bounds of sequences, for kernels that take a LoD or padded sequences with their lengths."""

from __future__ import annotations

import numpy as np


def sequence_bounds(rows, steps, lod, lengths):
    """Return (starts, ends), int64, as row indices; None for invalid arguments, which the reference explains.

    Arguments:
        rows: the number of rows, including padding.
        steps: the steps of each padded sequence.
        lod: None or a LoD, which must have one level.
        lengths: None, or the lengths of padded sequences, which take precedence over the LoD.
    """
    if lengths is not None:
        starts = np.arange(0, rows, steps) if steps else np.zeros(len(lengths), np.int64)
        each = lengths.reshape(-1)
        ok = len(each) == len(starts) and (not len(each) or (each.min() >= 0 and each.max() <= steps))
        return (starts, starts + each) if ok else None
    if lod is None or len(lod) != 1 or lod[0][-1] != rows:
        return None
    offsets = np.array(lod[0], np.int64)
    return offsets[:-1], offsets[1:]
