"""Record a training by a Trainer: `PYTHON tests/contrib/record_trainer.py`, with the Python of 1.6.1 (package paddlepaddle-tiny).

It writes trainer.npz.
"""

import os
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.contrib.trainer_case import run  # noqa: E402


def main():
    import paddle.fluid as fluid
    from paddle.fluid.contrib import inferencer, trainer

    found = run(fluid, trainer, inferencer, tempfile.mkdtemp())
    np.savez_compressed(os.path.join(HERE, "trainer.npz"), **found)
    print(len(found), "arrays")


if __name__ == "__main__":
    main()
