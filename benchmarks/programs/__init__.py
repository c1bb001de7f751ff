"""Whole programs that users train, a file each, for `bench_programs.py`."""
