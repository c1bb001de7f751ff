"""`paddle.fluid.transpiler.collective`. Made by `python -m stubs`."""

from paddle_lite.core.made import wait_server_ready as wait_server_ready
from paddle_lite.distributed.transpiler.collective import Collective as Collective
from paddle_lite.distributed.transpiler.collective import GradAllReduce as GradAllReduce
from paddle_lite.distributed.transpiler.collective import LocalSGD as LocalSGD
from paddle_lite.distributed.transpiler.collective import SingleProcessMultiThread as SingleProcessMultiThread
from paddle_lite.fluid import core as core
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from paddle_lite.static.program.roles import OpRole as OpRole
