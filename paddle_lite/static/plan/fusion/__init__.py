"""Fusion: operators that compute element by element or row by row, joined into one kernel.

frame.py    what the loops of a kernel run over, and how arrays lie in it
rules.py    what each operator computes, as expressions of the elements that it reads
groups.py   which operators of a Plan run as one
fused.py    the kernel of a group, called with the arrays of a run
"""
