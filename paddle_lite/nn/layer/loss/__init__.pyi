"""`paddle.nn.layer.loss`. Made by `python -m stubs`."""

from paddle_lite.nn.loss import BCELoss as BCELoss
from paddle_lite.nn.loss import CrossEntropyLoss as CrossEntropyLoss
from paddle_lite.nn.loss import L1Loss as L1Loss
from paddle_lite.nn.loss import MSELoss as MSELoss
from paddle_lite.nn.loss import NLLLoss as NLLLoss
