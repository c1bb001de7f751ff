"""`paddle.fluid.contrib.inferencer`. Made by `python -m stubs`."""

from paddle_lite.contrib.trainer.inferencer import Inferencer as Inferencer
from paddle_lite.contrib.trainer.trainer import check_and_get_place as check_and_get_place
