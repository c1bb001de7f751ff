"""Records what `test_control.py` reads: the nets of `control_nets.py`, trained and written by PaddlePaddle 1.8.5.

    PYTHON tests/interop/record_control.py        # PYTHON: an interpreter that has paddlepaddle 1.8.5

Writes tests/interop/data/control.
"""

import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.interop import control_nets  # noqa: E402
from tests.interop.record_files import Lines  # noqa: E402

if __name__ == "__main__":
    import paddle.fluid as fluid

    fluid.framework.traceback = Lines
    target = os.path.join(HERE, "data", "control")
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    control_nets.write(fluid, target)
