"""`paddle.optimizer.schedule`. Made by `python -m stubs`."""

from paddle_lite.optimizer.schedule_base import LearningRateDecay as LearningRateDecay
from paddle_lite.optimizer.schedule_epochs import LambdaDecay as LambdaDecay
from paddle_lite.optimizer.schedule_epochs import MultiStepDecay as MultiStepDecay
from paddle_lite.optimizer.schedule_epochs import StepDecay as StepDecay
from paddle_lite.optimizer.schedule_plateau import ReduceLROnPlateau as ReduceLROnPlateau
from paddle_lite.optimizer.schedule_steps import CosineDecay as CosineDecay
from paddle_lite.optimizer.schedule_steps import ExponentialDecay as ExponentialDecay
from paddle_lite.optimizer.schedule_steps import InverseTimeDecay as InverseTimeDecay
from paddle_lite.optimizer.schedule_steps import LinearLrWarmup as LinearLrWarmup
from paddle_lite.optimizer.schedule_steps import NaturalExpDecay as NaturalExpDecay
from paddle_lite.optimizer.schedule_steps import NoamDecay as NoamDecay
from paddle_lite.optimizer.schedule_steps import PiecewiseDecay as PiecewiseDecay
from paddle_lite.optimizer.schedule_steps import PolynomialDecay as PolynomialDecay
