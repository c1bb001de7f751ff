"""Operators with blocks: loops, branches and recurrences, with their gradients.

lowering.py    their instructions
body.py        what their blocks have in common: the functions that run a block, forward and backward
loop.py        loops and branches
recurrence.py  recurrences
runtime.py     what the functions call between the lines of a block
"""
