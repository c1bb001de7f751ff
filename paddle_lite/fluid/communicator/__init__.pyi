"""`paddle.fluid.communicator`. Made by `python -m stubs`."""

from paddle_lite.distributed.communicator.api import Communicator as Communicator
from paddle_lite.fluid import core as core
from paddle_lite.static.execution.scope import global_scope as global_scope
from paddle_lite.static.program.program import Program as Program
from typing import Any
DistributedMode: Any
