"""Where sequences start and end, for kernels that take them with a LoD or padded with their lengths beside them."""

from __future__ import annotations

import numpy as np


def bounds(rows, steps, lod, lengths):
    """(starts, ends), int64, counted in rows; None where that is not right, and the reference has to say why.

    Arguments:
        rows: how many rows there are, padding included.
        steps: the steps of each padded sequence.
        lod: None or a LoD, which must be of one level.
        lengths: None, or the lengths of padded sequences; then the LoD does not matter.
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
