"""`paddle.fluid.incubate.fleet.parameter_server.version`. Made by `python -m stubs`."""

from paddle_lite.distributed.fleet.base import Mode as Mode
from paddle_lite.distributed.fleet.parameter_server import BUILD_MODE as BUILD_MODE
from paddle_lite.distributed.fleet.parameter_server import is_transpiler as is_transpiler
