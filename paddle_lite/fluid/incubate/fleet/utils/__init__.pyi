"""`paddle.fluid.incubate.fleet.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.utils import fleet_barrier_util as fleet_barrier_util
from paddle_lite.fluid.incubate.fleet.utils import fleet_util as fleet_util
from paddle_lite.fluid.incubate.fleet.utils import hdfs as hdfs
from paddle_lite.fluid.incubate.fleet.utils import utils as utils
