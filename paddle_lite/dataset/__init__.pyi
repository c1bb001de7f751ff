"""`paddle.dataset`. Made by `python -m stubs`."""

import paddle_lite as paddle
from paddle_lite.dataset import cifar as cifar
from paddle_lite.dataset import common as common
from paddle_lite.dataset import conll05 as conll05
from paddle_lite.dataset import digits as digits
from paddle_lite.dataset import flowers as flowers
from paddle_lite.dataset import image as image
from paddle_lite.dataset import imdb as imdb
from paddle_lite.dataset import imikolov as imikolov
from paddle_lite.dataset import mnist as mnist
from paddle_lite.dataset import movielens as movielens
from paddle_lite.dataset import mq2007 as mq2007
from paddle_lite.dataset import sentiment as sentiment
from paddle_lite.dataset import uci_housing as uci_housing
from paddle_lite.dataset import voc2012 as voc2012
from paddle_lite.dataset import wmt14 as wmt14
from paddle_lite.dataset import wmt16 as wmt16
