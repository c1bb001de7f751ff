"""`paddle.fluid.incubate.fleet.base`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.base import fleet_base as fleet_base
from paddle_lite.fluid.incubate.fleet.base import mode as mode
from paddle_lite.fluid.incubate.fleet.base import role_maker as role_maker
