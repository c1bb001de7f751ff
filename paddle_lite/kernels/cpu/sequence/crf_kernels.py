"""CPU kernels of conditional random fields, which process all sequences in one compiled loop."""

from __future__ import annotations

import math

import numpy as np

from ....core.ranges import require_range
from ...numba_jit import jit
from ...registry import kernel
from .sequence_bounds import sequence_bounds


def _rows(array):
    return np.ascontiguousarray(array).reshape(-1, array.shape[-1])


def _of_both(Emission, Length, lods):
    """Return the bounds of the sequences; None if the LoDs of Emission and Label do not match."""
    of_emission, of_label = lods
    if Length is None and of_emission is not None and of_label is not None and of_emission != of_label:
        return None
    steps = 0 if Length is None else Emission.shape[1]
    return sequence_bounds(math.prod(Emission.shape[:-1]), steps, of_emission or of_label, Length)


@kernel("linear_chain_crf")
def linear_chain_crf(Emission, Transition, Label, Length, *, lod, reference):
    where = _of_both(Emission, Length, lod)
    if where is None:
        return reference(Emission, Transition, Label, Length, lod=lod)
    require_range("linear_chain_crf", "Input(Label)", Label, Emission.shape[-1])
    scores = _rows(Emission)
    top = scores.max(axis=1, keepdims=True)
    weights, ways = np.exp(scores - top), np.exp(Transition)
    alpha, costs = np.zeros_like(weights), np.zeros((len(where[0]), 1), Emission.dtype)
    labels = np.ascontiguousarray(Label).reshape(-1)
    _forward(scores, top[:, 0], weights, np.ascontiguousarray(Transition), ways, labels, *where, alpha, costs)
    return alpha.reshape(Emission.shape), weights.reshape(Emission.shape), ways, costs


@jit
def _forward(scores, top, x, transition, ways, labels, starts, ends, alpha, costs):
    tags = scores.shape[1]
    for i in range(starts.size):
        start, end = starts[i], ends[i]
        if start == end:
            continue
        logs = 0.0
        for t in range(start, end):
            total = 0.0
            for j in range(tags):
                if t == start:
                    state = ways[0, j]
                else:
                    state = alpha[t - 1, 0] * ways[2, j]
                    for k in range(1, tags):
                        state += alpha[t - 1, k] * ways[2 + k, j]
                alpha[t, j] = x[t, j] * state
                total += alpha[t, j]
            for j in range(tags):
                alpha[t, j] /= total
            logs += top[t] + math.log(total) - scores[t, labels[t]]
            if t > start:
                logs -= transition[2 + labels[t - 1], labels[t]]
        total = 0.0
        for j in range(tags):
            total += alpha[end - 1, j] * ways[1, j]
        costs[i, 0] = logs + math.log(total) - transition[0, labels[start]] - transition[1, labels[end - 1]]


@kernel("linear_chain_crf_grad")
def linear_chain_crf_grad(
    Emission, Transition, Label, Length, Alpha, EmissionExps, TransitionExps, dLogLikelihood, *, lod, reference,
    need=(True, True),
):  # fmt: skip
    where = _of_both(Emission, Length, lod)
    if where is None:
        return reference(
            Emission, Transition, Label, Length, Alpha, EmissionExps, TransitionExps, dLogLikelihood, lod=lod, need=need
        )
    alpha, x, ways = _rows(Alpha), _rows(EmissionExps), np.ascontiguousarray(TransitionExps)
    demission, dtransition = np.zeros_like(alpha), np.zeros_like(ways)
    labels, slope = np.ascontiguousarray(Label).reshape(-1), np.ascontiguousarray(dLogLikelihood).reshape(-1)
    _backward(alpha, x, ways, labels, slope, *where, demission, dtransition)
    return demission.reshape(Alpha.shape) if need[0] else None, dtransition if need[1] else None


@jit
def _backward(alpha, x, ways, labels, slope, starts, ends, demission, dtransition):
    tags = alpha.shape[1]
    beta, after = np.empty(tags, alpha.dtype), np.empty(tags, alpha.dtype)
    for i in range(starts.size):
        start, end, d = starts[i], ends[i], slope[i]
        beta[:] = ways[1]
        for t in range(end - 1, start - 1, -1):
            total = 0.0
            for j in range(tags):
                demission[t, j] = alpha[t, j] * beta[j]
                total += demission[t, j]
            for j in range(tags):
                demission[t, j] *= d / total
            demission[t, labels[t]] -= d
            if t == end - 1:
                dtransition[1] += demission[t]
            if t == start:
                dtransition[0] += demission[t]
                continue
            for j in range(tags):
                after[j] = x[t, j] * beta[j]
            total, largest = 0.0, 0.0
            for k in range(tags):
                state = ways[2 + k, 0] * after[0]
                for j in range(1, tags):
                    state += ways[2 + k, j] * after[j]
                beta[k] = state
                largest += state
                total += alpha[t - 1, k] * state
            for k in range(tags):
                share = d * alpha[t - 1, k] / total
                for j in range(tags):
                    dtransition[2 + k, j] += share * ways[2 + k, j] * after[j]
                beta[k] /= largest
            dtransition[2 + labels[t - 1], labels[t]] -= d


@kernel("crf_decoding")
def crf_decoding(Emission, Transition, Label, Length, *, lod, reference):
    steps = 0 if Length is None else Emission.shape[1]
    where = sequence_bounds(math.prod(Emission.shape[:-1]), steps, lod, Length)
    if where is None:
        return reference(Emission, Transition, Label, Length, lod=lod)
    x, rows = _rows(Emission), Emission.shape[:-1]
    path = np.zeros(len(x), np.int64)
    longest = int((where[1] - where[0]).max(initial=0))
    _decode(x, np.ascontiguousarray(Transition), *where, np.empty((longest, x.shape[1]), np.int64), path)
    if Label is not None:
        inside = np.zeros(len(path) + 1, np.int64)
        np.add.at(inside, where[0], 1)
        np.add.at(inside, where[1], -1)
        path = ((path == Label.reshape(-1)) & (np.cumsum(inside[:-1]) > 0)).astype(np.int64)
    return path.reshape(-1, 1) if Length is None else path.reshape(rows)


@jit
def _decode(x, transition, starts, ends, came, path):
    tags = x.shape[1]
    best, new = np.empty(tags, x.dtype), np.empty(tags, x.dtype)
    for i in range(starts.size):
        start, end = starts[i], ends[i]
        if start == end:
            continue
        for j in range(tags):
            best[j] = x[start, j] + transition[0, j]
        for t in range(start + 1, end):
            for j in range(tags):
                top, at = best[0] + transition[2, j], 0
                for k in range(1, tags):
                    way = best[k] + transition[2 + k, j]
                    if way > top:
                        top, at = way, k
                came[t - start, j] = at
                new[j] = top + x[t, j]
            best[:] = new
        tag = 0
        for j in range(tags):
            if best[j] + transition[1, j] > best[tag] + transition[1, tag]:
                tag = j
        path[end - 1] = tag
        for t in range(end - 1, start, -1):
            tag = came[t - start, tag]
            path[t - 1] = tag
