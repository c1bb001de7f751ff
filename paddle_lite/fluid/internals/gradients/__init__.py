"""How `fluid.backward` of 1.8.5 appends a backward pass, step by step, for code that does so by itself.

The table of `fluid` names what is public.
"""
