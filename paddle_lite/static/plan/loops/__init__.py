"""Operators with blocks: loops, branches and recurrences, with their gradients.

lowering.py    the instructions of these operators
body.py        the base class of compiled blocks: the functions that run a block, forward and backward
loop.py        loops and branches; recurrence.py recurrences
runtime.py     the helper functions that compiled blocks call; weight_rows.py gradients of weights of many rounds

A loop runs round by round, or as a kernel of one of three kinds, which `Loop.in_one_kernel` tries in this order:

rounds.py      loops over numbers and small arrays, without a gradient
ragged/        loops over the steps of sequences
fixed/         loops whose values keep their shapes

All have in common:

limits.py      `Unfit`, which says why a loop has no kernel, and limits

The first and the last:

forms.py       expressions of elements, folds and products

The last two:

step_form.py     the form of a loop: the operators of a round, of its gradient, and those that run once
outside.py       the latter
step_kernels.py  the kernels of a form, forward and backward
steps.py         what the operators of a round become: fused loops, products, other shapes; columns.py parts of rows
rows.py          the rows of values, and the arrays of a kernel
"""
