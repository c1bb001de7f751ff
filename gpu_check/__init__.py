"""What `python -m paddle_lite gpu check` runs: operators, programs and benchmarks on a GPU, and one report of them.

The parts are in files of their own: operators.py runs the rows of `tests/ops` on the device and on the CPU, programs.py the examples,
speed.py the networks of `benchmarks` beside PyTorch and PaddlePaddle 3. report.py writes what they found. None of these is
installed with paddle_lite, so the command needs a checkout.
"""
