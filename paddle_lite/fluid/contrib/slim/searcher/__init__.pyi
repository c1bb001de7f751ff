"""`paddle.fluid.contrib.slim.searcher`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.searcher.controllers import EvolutionaryController as EvolutionaryController
from paddle_lite.contrib.slim.searcher.controllers import SAController as SAController
from paddle_lite.fluid.contrib.slim.searcher import controller as controller
