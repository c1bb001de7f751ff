"""Loops over the steps of sequences of different lengths, as DynamicRNN makes them, as one kernel, and their gradients as another one.

call.py     the call of such a loop, with the arrays of a batch, and its gradient
form.py     takes a loop apart to what a step does with rows
kernels.py  makes the kernels of the form
steps.py    what operators on the rows of sequences become
"""
