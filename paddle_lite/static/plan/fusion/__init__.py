"""Fusion: elementwise operators and row reductions are fused into one kernel.

The `fuses` trait of an operator's declaration is a Rule (ops/framework/fusion.py). It states the frame of the operator
(ops/framework/frame.py), and its results as expressions of the elements that it reads.

groups.py   the groups of operators in a Plan that are fused
kernel.py   the kernel of a group: its expressions and loops, and the layout of arrays in them
fused.py    the call of a group's kernel at run time
"""
