"""Programs of several operators, drawn at random, that must compute the same in every way to run them.

`python -m tests.programs.drawn --programs 300 --seed 1` tries 300; `README.md` says more.
"""
