"""Device kernels of linear-chain conditional random fields: a block computes all steps of a sequence."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import INFINITY, block, block_sum, log, thread, threads
from ..device.types import A, T, int64


@device_kernel(
    x="T[]", tops="T[]", transition="T[]", ways="T[]", labels="int64[]", firsts="int64[]", ends="int64[]", weights="T[]",
    alpha="T[]", costs="T[]", tags="int64",
)  # fmt: skip
def crf_sequences(x, tops, transition, ways, labels, firsts, ends, weights, alpha, costs, tags):
    """Write the forward weights of each step, normalized to a sum of 1, and the cost of each sequence."""
    first = firsts[block()]
    end = ends[block()]
    cost = A(0)
    for row in range(first, end):
        part = A(0)
        for j in range(thread(), tags, threads()):
            value = A(ways[j])
            if row > first:
                value = A(0)
                for i in range(tags):
                    value += A(alpha[(row - 1) * tags + i]) * A(ways[(i + 2) * tags + j])
            value = value * A(weights[row * tags + j])
            alpha[row * tags + j] = T(value)
            part += value
        total = yield from block_sum(part)
        for j in range(thread(), tags, threads()):
            alpha[row * tags + j] = T(A(alpha[row * tags + j]) / total)
        if thread() == 0:
            label = labels[row]
            came = label
            if row > first:
                came = (labels[row - 1] + 2) * tags + label
            cost += A(tops[row]) - A(x[row * tags + label]) + log(total) - A(transition[came])
        yield
    ending = A(0)
    if first < end:
        for j in range(thread(), tags, threads()):
            ending += A(alpha[(end - 1) * tags + j]) * A(ways[tags + j])
    ending = yield from block_sum(ending)
    if thread() == 0:
        if first < end:
            cost += log(ending) - A(transition[tags + labels[end - 1]])
        costs[block()] = T(cost)


@device_kernel(
    labels="int64[]", alpha="T[]", weights="T[]", ways="T[]", d_costs="T[]", firsts="int64[]", ends="int64[]", dx="T[]",
    came="T[]", went="T[]", share="T[]", beta="A[]", tags="int64",
)  # fmt: skip
def crf_sequences_grad(labels, alpha, weights, ways, d_costs, firsts, ends, dx, came, went, share, beta, tags):
    """Write the gradient of the scores, and of what that of the transitions is a product.

    Row by row that is came.T @ went for the weights of the transitions, and minus `share` for the transition between the labels,
    both 0 in the first row of a sequence. `beta` [sequences, tags] is scratch.
    """
    first = firsts[block()]
    end = ends[block()]
    own = block() * tags
    d = A(d_costs[block()])
    for j in range(thread(), tags, threads()):
        beta[own + j] = A(ways[tags + j])
    row = end - 1
    while row >= first:
        part = A(0)
        for j in range(thread(), tags, threads()):
            part += A(alpha[row * tags + j]) * beta[own + j]
        total = yield from block_sum(part)
        for j in range(thread(), tags, threads()):
            value = A(alpha[row * tags + j]) * beta[own + j] / total
            if labels[row] == j:
                value = value - A(1)
            dx[row * tags + j] = T(d * value)
            went[row * tags + j] = T(A(weights[row * tags + j]) * beta[own + j])
        yield
        if row > first:
            seen = A(0)
            all = A(0)
            for i in range(thread(), tags, threads()):
                value = A(0)
                for j in range(tags):
                    value += A(ways[(i + 2) * tags + j]) * A(went[row * tags + j])
                beta[own + i] = value
                seen += value * A(alpha[(row - 1) * tags + i])
                all += value
            seen = yield from block_sum(seen)
            all = yield from block_sum(all)
            for i in range(thread(), tags, threads()):
                came[row * tags + i] = T(d * A(alpha[(row - 1) * tags + i]) / seen)
                beta[own + i] = beta[own + i] / all
            if thread() == 0:
                share[row] = T(d)
        row = row - 1


@device_kernel(
    x="T[]", transition="T[]", firsts="int64[]", ends="int64[]", best="A[]", came="int64[]", path="int64[]", tags="int64"
)  # fmt: skip
def best_tags(x, transition, firsts, ends, best, came, path, tags):
    """Write the tags of each sequence with the highest score (Viterbi, 1967), the first of equals.

    `best` [sequences, 2, tags] and `came` [rows, tags] are scratch.
    """
    first = firsts[block()]
    end = ends[block()]
    own = block() * 2 * tags
    for row in range(first, end):
        now = own + (row - first) % 2 * tags
        before = own + (row - first + 1) % 2 * tags
        for j in range(thread(), tags, threads()):
            most = A(transition[j])
            if row > first:
                most = A(-INFINITY)
                place = int64(0)
                for i in range(tags):
                    value = best[before + i] + A(transition[(i + 2) * tags + j])
                    if value > most:
                        most = value
                        place = int64(i)
                came[row * tags + j] = place
            best[now + j] = most + A(x[row * tags + j])
        yield
    if thread() == 0 and first < end:
        last = own + (end - 1 - first) % 2 * tags
        most = A(-INFINITY)
        tag = int64(0)
        for j in range(tags):
            value = best[last + j] + A(transition[tags + j])
            if value > most:
                most = value
                tag = int64(j)
        row = end - 1
        path[row] = tag
        while row > first:
            tag = came[row * tags + tag]
            row = row - 1
            path[row] = tag
