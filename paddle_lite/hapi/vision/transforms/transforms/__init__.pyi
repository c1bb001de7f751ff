"""`paddle.hapi.vision.transforms.transforms`. Made by `python -m stubs`."""

from paddle_lite.hapi.vision.transforms.color import BrightnessTransform as BrightnessTransform
from paddle_lite.hapi.vision.transforms.color import ColorJitter as ColorJitter
from paddle_lite.hapi.vision.transforms.color import ContrastTransform as ContrastTransform
from paddle_lite.hapi.vision.transforms.color import HueTransform as HueTransform
from paddle_lite.hapi.vision.transforms.color import SaturationTransform as SaturationTransform
from paddle_lite.hapi.vision.transforms.geometry import CenterCrop as CenterCrop
from paddle_lite.hapi.vision.transforms.geometry import CenterCropResize as CenterCropResize
from paddle_lite.hapi.vision.transforms.geometry import GaussianNoise as GaussianNoise
from paddle_lite.hapi.vision.transforms.geometry import Normalize as Normalize
from paddle_lite.hapi.vision.transforms.geometry import Permute as Permute
from paddle_lite.hapi.vision.transforms.geometry import RandomHorizontalFlip as RandomHorizontalFlip
from paddle_lite.hapi.vision.transforms.geometry import RandomResizedCrop as RandomResizedCrop
from paddle_lite.hapi.vision.transforms.geometry import RandomVerticalFlip as RandomVerticalFlip
from paddle_lite.hapi.vision.transforms.geometry import Resize as Resize
from paddle_lite.hapi.vision.transforms.pipeline import BatchCompose as BatchCompose
from paddle_lite.hapi.vision.transforms.pipeline import Compose as Compose
