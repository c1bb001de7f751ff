"""`paddle.fluid.incubate.fleet.utils.fleet_util`. Made by `python -m stubs`."""

from paddle_lite.distributed.fleet.fleet_util import FleetUtil as FleetUtil
from paddle_lite.distributed.fleet.fleet_util import fleet_transpiler as fleet_transpiler
from paddle_lite.distributed.fleet.pslib import fleet as _of_fleet_pslib
from paddle_lite.distributed.fleet.pslib import fleet as fleet
fleet_pslib = _of_fleet_pslib
