"""`paddle.utils.image_util`. Made by `python -m stubs`."""

from paddle_lite.dataset.image_util import ImageTransformer as ImageTransformer
from paddle_lite.dataset.image_util import crop_img as crop_img
from paddle_lite.dataset.image_util import decode_jpeg as decode_jpeg
from paddle_lite.dataset.image_util import flip as flip
from paddle_lite.dataset.image_util import load_image as load_image
from paddle_lite.dataset.image_util import load_meta as load_meta
from paddle_lite.dataset.image_util import oversample as oversample
from paddle_lite.dataset.image_util import preprocess_img as preprocess_img
from paddle_lite.dataset.image_util import resize_image as resize_image
