"""`paddle.utils`. Made by `python -m stubs`."""

from paddle_lite.core.progress.bars import progress_bar as progress_bar
from paddle_lite.fluid.plotting import Ploter as Ploter
from paddle_lite.logs.reading import read_log as read_log
from paddle_lite.logs.writer import LogWriter as LogWriter
from paddle_lite.utils import image_util as image_util
from paddle_lite.utils import plot as plot
from paddle_lite.utils import plotcurve as plotcurve
from paddle_lite.utils import preprocess_img as preprocess_img
from paddle_lite.utils import preprocess_util as preprocess_util
from paddle_lite.utils import profiler as profiler
