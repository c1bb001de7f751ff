"""`paddle.plot`. Made by `python -m stubs`."""

from paddle_lite.core.views.page import Picture as Picture
from paddle_lite.plot.attention_maps import attention as attention
from paddle_lite.plot.confusion import confusion_matrix as confusion_matrix
from paddle_lite.plot.flame import flame_graph as flame_graph
from paddle_lite.plot.graphs import graph as graph
from paddle_lite.plot.image_pages import feature_maps as feature_maps
from paddle_lite.plot.image_pages import images as images
from paddle_lite.plot.line_plots import curves as curves
from paddle_lite.plot.profiling import Profile as Profile
from paddle_lite.plot.profiling import chrome_trace as chrome_trace
from paddle_lite.plot.profiling import profile as profile
