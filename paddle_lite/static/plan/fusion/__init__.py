"""Fusion: operators that compute element by element or row by row, joined into one kernel.

What each operator computes is the `fuses` of its declaration: a Rule (ops/framework/fusion.py) says in which frame the operator
works (ops/framework/frame.py), and what it makes, as expressions of the elements that it reads.

groups.py   which operators of a Plan run as one
kernel.py   the kernel of a group: its expressions, and how the arrays of a run lie in its loops
fused.py    the kernel of a group, called with the arrays of a run
"""
