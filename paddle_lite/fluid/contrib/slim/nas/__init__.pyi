"""`paddle.fluid.contrib.slim.nas`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.nas.lock import LOCK_EX as LOCK_EX
from paddle_lite.contrib.slim.nas.lock import LOCK_UN as LOCK_UN
from paddle_lite.contrib.slim.nas.lock import unlock as unlock
from paddle_lite.contrib.slim.nas.search_space import SearchSpace as SearchSpace
from paddle_lite.contrib.slim.nas.server import ControllerServer as ControllerServer
from paddle_lite.contrib.slim.nas.server import SearchAgent as SearchAgent
from paddle_lite.contrib.slim.nas.strategy import LightNASStrategy as LightNASStrategy
from paddle_lite.fluid.contrib.slim.nas import controller_server as controller_server
from paddle_lite.fluid.contrib.slim.nas import light_nas_strategy as light_nas_strategy
from paddle_lite.fluid.contrib.slim.nas import lock as lock
from paddle_lite.fluid.contrib.slim.nas import search_agent as search_agent
from paddle_lite.fluid.contrib.slim.nas import search_space as search_space
