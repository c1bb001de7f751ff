"""`paddle.fluid.incubate.fleet.base.mode`. Made by `python -m stubs`."""

from paddle_lite.distributed.fleet.base import Mode as Mode
