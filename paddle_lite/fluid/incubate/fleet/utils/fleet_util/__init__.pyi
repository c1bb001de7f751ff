"""`paddle.fluid.incubate.fleet.utils.fleet_util`. Made by `python -m stubs`."""

from typing import Any
FleetUtil: Any
