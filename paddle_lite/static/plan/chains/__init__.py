"""Chains: the rounds of an unrolled recurrence run as one kernel.

Where the same kernels and products follow each other several times, each round reading what the one before has made,
the pass rolls the rounds up to a loop inside one kernel. No Python runs between the rounds, and the states of all rounds
are rows of one array.

steps.py    what can be a part of a round: fused kernels and small products
rounds.py   where the same parts repeat
wiring.py   what each part reads and writes in a round
call.py     the call of a chain at run time
chain.py    the instructions of a chain
readers.py  operators that take the rows of all rounds together
"""
