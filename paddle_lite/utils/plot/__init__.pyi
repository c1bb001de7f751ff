"""`paddle.utils.plot`. Made by `python -m stubs`."""

from paddle_lite.fluid.plotting import PlotData as PlotData
from paddle_lite.fluid.plotting import Ploter as Ploter
