"""`paddle.imperative`. Made by `python -m stubs`."""

from paddle_lite.core.typing import Variable as Variable
from paddle_lite.distributed.environment import ParallelEnv as ParallelEnv
from paddle_lite.distributed.parallel import DataParallel as DataParallel
from paddle_lite.distributed.parallel import prepare_context as prepare_context
from paddle_lite.imperative.base import disable_imperative as disable_imperative
from paddle_lite.imperative.base import enable_imperative as enable_imperative
from paddle_lite.imperative.base import enabled as enabled
from paddle_lite.imperative.base import guard as guard
from paddle_lite.imperative.base import no_grad as no_grad
from paddle_lite.imperative.base import to_variable as to_variable
from paddle_lite.imperative.gradients import BackwardStrategy as BackwardStrategy
from paddle_lite.imperative.gradients import grad as grad
from paddle_lite.io.state import load_dygraph as _of_load
from paddle_lite.io.state import save_dygraph as _of_save
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
from paddle_lite.jit.declared import declarative as declarative
from paddle_lite.jit.traced import TracedLayer as TracedLayer
from paddle_lite.optimizer.schedule_steps import CosineDecay as CosineDecay
from paddle_lite.optimizer.schedule_steps import ExponentialDecay as ExponentialDecay
from paddle_lite.optimizer.schedule_steps import InverseTimeDecay as InverseTimeDecay
from paddle_lite.optimizer.schedule_steps import NaturalExpDecay as NaturalExpDecay
from paddle_lite.optimizer.schedule_steps import NoamDecay as NoamDecay
from paddle_lite.optimizer.schedule_steps import PiecewiseDecay as PiecewiseDecay
from paddle_lite.optimizer.schedule_steps import PolynomialDecay as PolynomialDecay
load = _of_load
save = _of_save
