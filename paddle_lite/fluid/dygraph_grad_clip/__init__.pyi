"""`paddle.fluid.dygraph_grad_clip`. Made by `python -m stubs`."""

from paddle_lite.fluid.dropped import GradClipByGlobalNorm as GradClipByGlobalNorm
from paddle_lite.fluid.dropped import GradClipByNorm as GradClipByNorm
from paddle_lite.fluid.dropped import GradClipByValue as GradClipByValue
from paddle_lite.params.clip import GradientClipBase as _of_GradClipBase
GradClipBase = _of_GradClipBase
