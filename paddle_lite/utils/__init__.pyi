"""`paddle.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.plotting import Ploter as Ploter
from paddle_lite.utils import plot as plot
