"""`paddle.fluid.transpiler.ps_dispatcher`. Made by `python -m stubs`."""

from paddle_lite.distributed.transpiler.dispatch import HashName as HashName
from paddle_lite.distributed.transpiler.dispatch import PSDispatcher as PSDispatcher
from paddle_lite.distributed.transpiler.dispatch import RoundRobin as RoundRobin
