"""`paddle.hapi`. Made by `python -m stubs`."""

from paddle_lite.hapi import callbacks as callbacks
from paddle_lite.hapi import datasets as datasets
from paddle_lite.hapi import distributed as distributed
from paddle_lite.hapi import download as download
from paddle_lite.hapi import logger as logger
from paddle_lite.hapi import loss as loss
from paddle_lite.hapi import metrics as metrics
from paddle_lite.hapi import model as model
from paddle_lite.hapi import progressbar as progressbar
from paddle_lite.hapi import text as text
from paddle_lite.hapi import utils as utils
from paddle_lite.hapi import vision as vision
from paddle_lite.hapi.inputs import Input as Input
from paddle_lite.hapi.inputs import set_device as set_device
from paddle_lite.hapi.model import Model as Model
