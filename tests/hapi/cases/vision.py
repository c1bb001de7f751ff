"""Networks with their weights, and transforms of images. Random transforms start from fixed seeds."""

import random

import numpy as np

from .training import mode

TOLERANCE = {"rtol": 2e-4, "atol": 2e-5}
"""Networks are deep; sums differ in their order."""


def images(rows, columns):
    """Images of noise and of slow changes, of bytes and of floats."""
    noise = np.random.RandomState(rows)
    waves = np.add.outer(np.sin(np.arange(rows) / 7.0), np.cos(np.arange(columns) / 9.0))[..., None] * 60 + 128
    return {
        "bytes": noise.randint(0, 256, (rows, columns, 3)).astype("uint8"),
        "floats": (noise.rand(rows, columns, 3) * 255).astype("float32"),
        "waves": (waves + np.arange(3)).astype("uint8"),
    }


def network(dynamic, make):
    """The names of the weights and buffers, and the outputs for an image."""

    def case(fluid, hapi):
        with mode(fluid, dynamic):
            model = make(hapi.vision.models)
            channels, size = (1, 28) if type(model).__name__ == "LeNet" else (3, 32)
            model.prepare(
                inputs=[hapi.model.Input([None, channels, size, size], "float32", name="image")], device="cpu"
            )
            image = np.random.RandomState(0).rand(2, channels, size, size).astype("float32")
            names = [f"{key} {each.name} {list(each.shape)}" for key, each in model.state_dict().items()]
            return {"names": "\n".join(names), "output": model.test_batch([image])[0].reshape(2, -1)[:, :64]}

    return case


NETWORKS = {
    "LeNet": lambda models: models.LeNet(),
    "LeNet features": lambda models: models.LeNet(num_classes=0),
    "mobilenet_v1": lambda models: models.MobileNetV1(scale=0.25, num_classes=-1),
    "mobilenet_v2": lambda models: models.mobilenet_v2(scale=0.25, num_classes=7),
    "resnet18": lambda models: models.resnet18(num_classes=7, classifier_activation=None),
}

SIZES = [(20, 30), (50, 60), (74, 106), (10, 53), (37, 100), (7, 9), 25]


def resized(fluid, hapi):
    """Sizes by the interpolations that OpenCV computes in a fixed order of operations."""
    functional = hapi.vision.transforms.functional
    found = {}
    for kind, image in images(37, 53).items():
        for size in SIZES:
            for interpolation in (0, 1, 3) if isinstance(size, tuple) else (1,):
                found[f"{kind} {size} {interpolation}"] = functional.resize(image, size, interpolation)[::5, ::5]
    halves = images(36, 52)["bytes"]
    found["halved"] = functional.resize(halves, (18, 26))[::3, ::3]
    found["grey"] = functional.resize(halves[..., :1], (20, 20))[::3, ::3]
    return found


def smooth(fluid, hapi):
    """Sizes by the interpolations whose sums OpenCV rounds in several ways: floats only."""
    functional = hapi.vision.transforms.functional
    image = images(37, 53)["floats"]
    return {f"{size} {kind}": functional.resize(image, size, kind)[::5, ::5] for size in SIZES[:4] for kind in (2, 4)}


TRANSFORMS = [
    ("BrightnessTransform", (0.4,)),
    ("ContrastTransform", (0.4,)),
    ("SaturationTransform", (0.6,)),
    ("ColorJitter", (0.4, 0.4, 0.3)),
    ("RandomResizedCrop", (24,)),
    ("RandomResizedCrop", ((20, 30), (0.5, 0.6), (0.1, 0.2), 0)),
    ("CenterCropResize", (24,)),
    ("CenterCrop", ((15, 31),)),
    ("RandomHorizontalFlip", ()),
    ("RandomVerticalFlip", ()),
    ("Permute", ()),
    ("Permute", ("CHW", False)),
    ("GaussianNoise", (0.1, 0.2)),
    ("Resize", (20,)),
]


def transformed(fluid, hapi):
    found = {}
    for kind, image in images(37, 48).items():
        for name, arguments in TRANSFORMS:
            for seed in range(2):
                random.seed(seed)
                np.random.seed(seed)
                transform = getattr(hapi.vision.transforms, name)(*arguments)
                found[f"{name}{arguments} {kind} {seed}"] = np.array(transform(image.copy()))[::5, ::5]
        normalize = hapi.vision.transforms.Normalize([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
        found["Normalize " + kind] = normalize(image.transpose(2, 0, 1))[:, ::5, ::5]
        for code in (-1, 0, 1):
            found[f"flip {kind} {code}"] = hapi.vision.transforms.flip(image, code)[::5, ::5]
    return found


def hue(fluid, hapi):
    """Hue, of images whose width OpenCV's vectors divide: it rounds the columns behind them otherwise."""
    found = {}
    for kind, image in images(37, 48).items():
        for value in (0.2, 0.5):
            np.random.seed(3)
            found[f"{kind} {value}"] = hapi.vision.transforms.HueTransform(value)(image)[::3, ::3]
    return found


CASES = {
    "{}, {}".format(name, "imperative" if dynamic else "static"): network(dynamic, make)
    for name, make in NETWORKS.items()
    for dynamic in (True, False)
}
CASES.update({"resize": resized, "resize smoothly": smooth, "transforms": transformed, "hue": hue})
