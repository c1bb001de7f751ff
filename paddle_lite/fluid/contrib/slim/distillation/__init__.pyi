"""`paddle.fluid.contrib.slim.distillation`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.distillation.distillers import FSPDistiller as FSPDistiller
from paddle_lite.contrib.slim.distillation.distillers import L2Distiller as L2Distiller
from paddle_lite.contrib.slim.distillation.distillers import SoftLabelDistiller as SoftLabelDistiller
from paddle_lite.contrib.slim.distillation.strategy import DistillationStrategy as DistillationStrategy
from paddle_lite.fluid.contrib.slim.distillation import distillation_strategy as distillation_strategy
from paddle_lite.fluid.contrib.slim.distillation import distiller as distiller
