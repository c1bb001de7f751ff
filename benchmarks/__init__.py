"""Benchmarks: `python -m benchmarks` times paddle_lite; `--torch` and `--fluid` name interpreters of frameworks to compare with."""
