"""Runs the examples of PaddlePaddle 1.8.5's own docstrings on both sides: `python -m compatibility.examples`."""
