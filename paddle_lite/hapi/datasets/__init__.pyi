"""`paddle.hapi.datasets`. Made by `python -m stubs`."""

from paddle_lite.hapi.datasets import flowers as flowers
from paddle_lite.hapi.datasets import folder as folder
from paddle_lite.hapi.datasets import mnist as mnist
from paddle_lite.hapi.datasets import utils as utils
from paddle_lite.hapi.datasets.flowers import Flowers as Flowers
from paddle_lite.hapi.datasets.folder import DatasetFolder as DatasetFolder
from paddle_lite.hapi.datasets.folder import ImageFolder as ImageFolder
from paddle_lite.hapi.datasets.mnist import MNIST as MNIST
