"""Records the models that `test_exchange.py` reads: the nets of `nets.py`, trained and written by PaddlePaddle 1.8.5.

    PYTHON tests/interop/record_exchange.py       # PYTHON: an interpreter that has paddlepaddle 1.8.5

Writes tests/interop/data/exchange/fluid. Those beside it come from an interpreter that has paddlepaddle 2.6.2:

    PYTHON tests/interop/modern_models.py write tests/interop/data/exchange/modern small
"""

import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.interop import nets  # noqa: E402
from tests.interop.record_files import Lines  # noqa: E402

if __name__ == "__main__":
    import paddle.fluid as fluid

    fluid.framework.traceback = Lines
    target = os.path.join(HERE, "data", "exchange", "fluid")
    shutil.rmtree(target, ignore_errors=True)
    nets.write(fluid, target)
