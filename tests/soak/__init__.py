"""A long run that looks for leaks: `python -m tests.soak`, or `make soak`."""
