"""`paddle.utils.plotcurve`. Made by `python -m stubs`."""

from paddle_lite.plot.trainer_lines import main as main
from paddle_lite.plot.trainer_lines import plot_paddle_curve as plot_paddle_curve
