"""Networks that classify images. Programs look them up by name in `vars(models)`, so that all are here from the start."""

from .lenet import LeNet
from .mobilenetv1 import MobileNetV1, mobilenet_v1
from .mobilenetv2 import MobileNetV2, mobilenet_v2
from .resnet import ResNet, resnet18, resnet34, resnet50, resnet101, resnet152
from .vgg import VGG, vgg11, vgg13, vgg16, vgg19

__all__ = [
    "VGG",
    "LeNet",
    "MobileNetV1",
    "MobileNetV2",
    "ResNet",
    "mobilenet_v1",
    "mobilenet_v2",
    "resnet18",
    "resnet34",
    "resnet50",
    "resnet101",
    "resnet152",
    "vgg11",
    "vgg13",
    "vgg16",
    "vgg19",
]
