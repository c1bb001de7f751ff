"""Device kernels of connectionist temporal classification: a block walks the steps of a sequence, then one each row's gradient.

The places of a sequence are its labels with a blank before, between and behind them: place 2 i + 1 is label i.
"""

from __future__ import annotations

from ..device.kernel import device_function, device_kernel
from ..device.language import INFINITY, block, block_sum, exp, log1p, maximum, minimum, thread, threads
from ..device.types import A, T, int64


@device_function(a="A", b="A")
def log_sum(a, b):
    """Return log(exp(a) + exp(b))."""
    found = maximum(a, b)
    if found > A(-INFINITY):
        found = found + log1p(exp(minimum(a, b) - found))
    return found


@device_function(labels="int64[]", first="int64", place="int64", blank="int64")
def class_of(labels, first, place, blank):
    """Return the class of a place of the sequence whose labels begin at `first`."""
    found = blank
    if place % 2 == 1:
        found = labels[first + place // 2]
    return found


@device_function(labels="int64[]", first="int64", place="int64", blank="int64")
def skips(labels, first, place, blank):
    """Return 1 if a path may come to a place from the one before the blank in front of it, else 0."""
    found = int64(0)
    if place % 2 == 1 and place > 1:
        label = labels[first + place // 2]
        if label != blank and label != labels[first + place // 2 - 1]:
            found = int64(1)
    return found


@device_kernel(
    logs="T[]", labels="int64[]", firsts="int64[]", ends="int64[]", label_firsts="int64[]", label_ends="int64[]", losses="T[]",
    shares="A[]", back="A[]", known="int64[]", classes="int64", blank="int64", most="int64",
)  # fmt: skip
def ctc_sequences(
    logs, labels, firsts, ends, label_firsts, label_ends, losses, shares, back, known, classes, blank, most
):
    """Write the loss of each sequence, and to shares [rows, most] the probability that a path is at a place.

    `known` gets 1 for sequences with enough steps for their labels, else 0, as is their loss then. `back` [sequences, 2, most] is
    scratch.
    """
    first = firsts[block()]
    end = ends[block()]
    own = label_firsts[block()]
    count = label_ends[block()] - own
    places = 2 * count + 1
    repeats = int64(0)
    for i in range(own + 1 + thread(), own + count, threads()):
        if labels[i] == labels[i - 1]:
            repeats += 1
    repeats = yield from block_sum(repeats)
    enough = int64(0)
    if first < end and count + repeats <= end - first:
        enough = int64(1)
    if thread() == 0:
        known[block()] = enough
        losses[block()] = T(0)
    if enough == 0:
        return
    for row in range(first, end):
        at = row * most
        for s in range(thread(), places, threads()):
            value = A(-INFINITY)
            if row > first:
                value = shares[at - most + s]
                if s > 0:
                    value = log_sum(value, shares[at - most + s - 1])
                if skips(labels, own, s, blank) > 0:
                    value = log_sum(value, shares[at - most + s - 2])
            elif s < 2:
                value = A(0)
            shares[at + s] = value + A(logs[row * classes + class_of(labels, own, s, blank)])
        yield
    total = shares[(end - 1) * most + places - 1]
    if count > 0:
        total = log_sum(total, shares[(end - 1) * most + places - 2])
    yield
    if thread() == 0:
        losses[block()] = T(-total)
    row = end - 1
    while row >= first:
        now = (block() * 2 + (row - first) % 2) * most
        later = (block() * 2 + (row - first + 1) % 2) * most
        for s in range(thread(), places, threads()):
            value = A(-INFINITY)
            if row < end - 1:
                value = back[later + s]
                if s + 1 < places:
                    value = log_sum(value, back[later + s + 1])
                if s + 2 < places and skips(labels, own, s + 2, blank) > 0:
                    value = log_sum(value, back[later + s + 2])
            elif s + 2 >= places:
                value = A(0)
            shares[row * most + s] = exp(shares[row * most + s] + value - total)
            back[now + s] = value + A(logs[row * classes + class_of(labels, own, s, blank)])
        yield
        row = row - 1


@device_kernel(
    logs="T[]", labels="int64[]", firsts="int64[]", ends="int64[]", label_firsts="int64[]", label_ends="int64[]", shares="A[]",
    known="int64[]", slopes="T[]", sequences="int64", classes="int64", blank="int64", most="int64",
)  # fmt: skip
def ctc_slopes(
    logs, labels, firsts, ends, label_firsts, label_ends, shares, known, slopes, sequences, classes, blank, most
):  # fmt: skip
    """Write slopes [steps, sequences, classes]: the probability of each class, less that of the paths at its places.

    A block has a step of a sequence. The first of equal labels adds up the places of all.
    """
    n = block() % sequences
    row = firsts[n] + block() // sequences
    own = label_firsts[n]
    count = label_ends[n] - own
    if row >= ends[n] or known[n] == 0:
        return
    for c in range(thread(), classes, threads()):
        slopes[block() * classes + c] = T(exp(A(logs[row * classes + c])))
    blanks = A(0)
    for s in range(thread(), 2 * count + 1, threads()):
        if class_of(labels, own, s, blank) == blank:
            blanks += shares[row * most + s]
    blanks = yield from block_sum(blanks)
    yield
    if thread() == 0:
        slopes[block() * classes + blank] = T(exp(A(logs[row * classes + blank])) - blanks)
    for i in range(thread(), count, threads()):
        label = labels[own + i]
        first = int64(0)
        while labels[own + first] != label:
            first = first + 1
        if first == i and label != blank:
            total = A(0)
            for other in range(i, count):
                if labels[own + other] == label:
                    total += shares[row * most + 2 * other + 1]
            slopes[block() * classes + label] = T(exp(A(logs[row * classes + label])) - total)
