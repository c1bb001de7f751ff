"""CPU kernel of the CTC loss: the forward-backward algorithm over the extended labels of each sequence, in log space."""

from __future__ import annotations

import math

import numpy as np

from ....core.ranges import require_range
from ...numba_jit import inline, jit
from ...registry import kernel
from .sequence_bounds import sequence_bounds


@kernel("warpctc")
def warpctc(Logits, Label, LogitsLength, LabelLength, *, lod, blank, norm_by_times, reference):
    classes, padded = Logits.shape[-1], LogitsLength is not None
    require_range("warpctc", "Input(Label)", Label, classes)
    logits = np.ascontiguousarray(Logits.swapaxes(0, 1) if padded else Logits)
    steps = logits.shape[1] if padded else 0
    times = sequence_bounds(logits.size // classes if classes else 0, steps, lod[0], LogitsLength)
    labels = sequence_bounds(Label.size, Label.shape[1] if padded else 0, lod[1], LabelLength)
    if times is None or labels is None or len(times[0]) != len(labels[0]):
        return reference(Logits, Label, LogitsLength, LabelLength, lod=lod, blank=blank, norm_by_times=norm_by_times)
    longest = int((times[1] - times[0]).max(initial=0))
    places = 2 * int((labels[1] - labels[0]).max(initial=0)) + 1
    slopes = np.zeros((Logits.shape[0] if padded else longest, len(times[0]), classes), Logits.dtype)
    losses = np.zeros((len(times[0]), 1), Logits.dtype)
    flat = np.ascontiguousarray(Label).reshape(-1)
    room = np.empty((longest, places)), np.empty((2, places)), np.empty((longest, classes)), np.empty(places, np.int64)
    _losses(logits.reshape(-1, classes), flat, *times, *labels, blank, *room, slopes, losses)
    return slopes, losses


@inline
def _log_add(a, b):
    top, low = (a, b) if a > b else (b, a)
    return top if low == -np.inf else top + math.log1p(math.exp(low - top))


@jit
def _losses(logits, labels, starts, ends, firsts, lasts, blank, forth, back, logs, places, slopes, losses):
    classes = logits.shape[1]
    for i in range(starts.size):
        steps, count, first = ends[i] - starts[i], lasts[i] - firsts[i], firsts[i]
        needed = count
        for k in range(1, count):
            if labels[first + k] == labels[first + k - 1]:
                needed += 1
        if steps == 0 or needed > steps:
            continue
        size = 2 * count + 1
        for s in range(size):
            places[s] = labels[first + s // 2] if s % 2 else blank
        for t in range(steps):
            row = logits[starts[i] + t]
            top, total = row.max(), 0.0
            for c in range(classes):
                total += math.exp(row[c] - top)
            total = math.log(total) + top
            for c in range(classes):
                logs[t, c] = row[c] - total
        for s in range(size):
            forth[0, s] = logs[0, places[s]] if s < 2 else -np.inf
        for t in range(1, steps):
            for s in range(size):
                way = forth[t - 1, s]
                if s > 0:
                    way = _log_add(way, forth[t - 1, s - 1])
                if s > 1 and places[s] != blank and places[s] != places[s - 2]:
                    way = _log_add(way, forth[t - 1, s - 2])
                forth[t, s] = way + logs[t, places[s]]
        total = forth[steps - 1, size - 1]
        if count > 0:
            total = _log_add(total, forth[steps - 1, size - 2])
        losses[i, 0] = -total
        for s in range(size):  # log probabilities of the steps after t, without that of step t
            back[0, s] = 0.0 if s >= size - 2 else -np.inf
        for t in range(steps - 1, -1, -1):
            for c in range(classes):
                slopes[t, i, c] = math.exp(logs[t, c])
            for s in range(size):
                slopes[t, i, places[s]] -= math.exp(forth[t, s] + back[0, s] - total)
            if t == 0:
                break
            for s in range(size):
                way = back[0, s] + logs[t, places[s]]
                if s + 1 < size:
                    way = _log_add(way, back[0, s + 1] + logs[t, places[s + 1]])
                if s + 2 < size and places[s + 2] != blank and places[s + 2] != places[s]:
                    way = _log_add(way, back[0, s + 2] + logs[t, places[s + 2]])
                back[1, s] = way
            back[0] = back[1]
