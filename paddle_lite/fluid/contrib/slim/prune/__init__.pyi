"""`paddle.fluid.contrib.slim.prune`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.prune.auto_prune import AutoPruneStrategy as AutoPruneStrategy
from paddle_lite.contrib.slim.prune.pruner import Pruner as Pruner
from paddle_lite.contrib.slim.prune.pruner import StructurePruner as StructurePruner
from paddle_lite.contrib.slim.prune.strategies import PruneStrategy as PruneStrategy
from paddle_lite.contrib.slim.prune.strategies import SensitivePruneStrategy as SensitivePruneStrategy
from paddle_lite.contrib.slim.prune.strategies import UniformPruneStrategy as UniformPruneStrategy
from paddle_lite.fluid.contrib.slim.prune import auto_prune_strategy as auto_prune_strategy
from paddle_lite.fluid.contrib.slim.prune import prune_strategy as prune_strategy
from paddle_lite.fluid.contrib.slim.prune import pruner as pruner
