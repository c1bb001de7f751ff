"""`paddle.utils.preprocess_img`. Made by `python -m stubs`."""

from paddle_lite.dataset.folders.images import DiskImage as DiskImage
from paddle_lite.dataset.folders.images import ImageClassificationDatasetCreater as ImageClassificationDatasetCreater
from paddle_lite.dataset.image_util import crop_img as crop_img
from paddle_lite.dataset.image_util import resize_image as resize_image
from paddle_lite.utils import preprocess_util as preprocess_util
