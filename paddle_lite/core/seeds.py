"""Random seeds of the two default Programs: what random operators without a seed of their own start from.

Fluid code sets `fluid.default_startup_program().random_seed` (parameters) and `fluid.default_main_program().random_seed`
(dropout and other operators). Seed 0 means a different sequence every time.
"""

startup = 0
main = 0
