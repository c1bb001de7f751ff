"""Operators with blocks: loops, branches and recurrences, with their gradients.

lowering.py    the instructions of these operators
body.py        the base class of compiled blocks: the functions that run a block, forward and backward
loop.py        loops and branches
rounds.py      loops over numbers and small arrays as one kernel
step_form.py   what loops have in common that run as one kernel, forward and backward; step_kernels.py makes their kernels;
               outside.py runs what is the same in all rounds
ragged.py      the call of a loop over the steps of sequences as one kernel; ragged_form.py takes such a loop apart,
               ragged_kernels.py makes its kernels from what ragged_parts.py and ragged_columns.py make of operators, with the
               arrays of ragged_rows.py
fixed.py       the call of a loop whose values keep their shapes, which chooses its kernels; fixed_runs.py runs them, fixed_form.py,
               fixed_kernels.py and fixed_steps.py make them, branches.py puts the operators of branches in their place; arrays of tensors
               are lists in such kernels, see fixed_lists.py, and list_values.py for what they are before and behind; table_rows.py takes rows of tables
recurrence.py  recurrences
runtime.py     the helper functions that compiled blocks call
"""
