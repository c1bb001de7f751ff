"""Loops whose values keep their shapes, as one kernel, and their gradients as another one.

call.py         the call of such a loop, which chooses its kernels, or goes round by round
form.py         takes a loop apart, and finds the shapes of a run
branches.py     puts the operators of branches in their place
kernels.py      makes the kernels of the form: their arrays, and what rounds hand on
steps.py        what operators become: elements.py loops over elements, moves.py those that move elements, along.py what is computed
                along an axis, lists.py operators on arrays of tensors, table_rows.py those that take rows of tables
runs.py         the arrays of a run, its rounds and its gradient
list_values.py  arrays of tensors before a run and behind it
"""
