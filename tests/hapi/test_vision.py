"""Networks and transforms beyond the recorded cases: wrong calls, weights from files, sizes of networks."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.dataset.common import DownloadError
from paddle_lite.hapi import download
from paddle_lite.hapi.loss import CrossEntropy
from paddle_lite.hapi.vision import models, transforms
from paddle_lite.hapi.vision.models import vgg
from paddle_lite.hapi.vision.transforms import functional

from .cases.training import mode

IMAGE = np.arange(60, dtype="uint8").reshape(4, 5, 3)


def test_published_weights_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "WEIGHTS_HOME", str(tmp_path / "home"))
    with mode(fluid, True):
        wanted = models.mobilenet_v1(scale=0.25, num_classes=3)
        wanted.save(str(tmp_path / "weights"))
        content = (tmp_path / "weights.pdparams").read_bytes()
        url = (tmp_path / "weights.pdparams").as_uri()
        published = {"mobilenetv1_0.25": (url, hashlib.md5(content).hexdigest())}
        monkeypatch.setattr(models.mobilenetv1, "WEIGHTS", published)
    with mode(fluid, True):
        found = models.mobilenet_v1(pretrained=True, scale=0.25, num_classes=3)
        for key, value in wanted.state_dict().items():
            np.testing.assert_array_equal(found.state_dict()[key].numpy(), value.numpy())
    with mode(fluid, True):
        with pytest.raises(
            ArgumentValueError, match=r"mobilenetv1_0.5: pretrained got True, needs False: weights were"
        ):
            models.mobilenet_v1(pretrained=True, scale=0.5)
        monkeypatch.setattr(models.resnet, "WEIGHTS", {"resnet18": (url + "x", None)})
        with pytest.raises(
            DownloadError, match=r"paddle.hapi: weights.pdparamsx is not on this machine .* Put the file"
        ):
            models.resnet18(pretrained=True, num_classes=1)


def test_what_networks_are_made_of() -> None:
    with mode(fluid, True):
        blocks = [type(each).__name__ for each in vgg._features(vgg.STAGES[11], True).sublayers()]
        assert blocks[:6] == ["Conv2D", "BatchNorm", "Pool2D", "Conv2D", "BatchNorm", "Pool2D"]
        assert [sum(counts) + 3 for counts in vgg.STAGES.values()] == [*vgg.STAGES] == [11, 13, 16, 19]
        block = models.resnet.BottleneckBlock(16, 4, 2, shortcut=False)
        assert block(fluid.dygraph.to_variable(np.zeros([1, 16, 8, 8], "float32"))).shape == [1, 16, 4, 4]
        with pytest.raises(ArgumentValueError, match="depth got int 20, needs one of 18, 34, 50, 101, 152"):
            models.ResNet(models.resnet.BasicBlock, 20)


def test_networks_are_found_by_name() -> None:
    assert set(models.__all__) <= set(vars(models))
    assert vars(models)["resnet18"] is models.resnet18


def test_a_network_trains() -> None:
    with mode(fluid, True):
        model = models.LeNet()
        adam = fluid.optimizer.Adam(0.001, parameter_list=model.parameters())
        model.prepare(adam, CrossEntropy(), device="cpu")
        batch = np.random.RandomState(0).rand(8, 1, 28, 28).astype("float32"), np.arange(8).reshape(8, 1)
        losses = [float(model.train_batch(batch[:1], batch[1:])[0][0]) for _ in range(8)]
        assert losses[-1] < losses[0]


def test_several_fields_and_batches() -> None:
    pair = transforms.Compose([lambda a, b: (a + 1, b), lambda a, b: (a, b * 2)])
    assert pair(1, 2) == (2, 4)
    assert transforms.Compose([])(5) == 5
    shown = "Compose(\n    <built-in function abs>\n    <built-in function len>\n)"
    assert repr(transforms.Compose([abs, len])) == shown
    assert transforms.BatchCompose()([(1, 2), (3, 4)]) == [(1, 3), (2, 4)]
    assert transforms.ColorJitter()(IMAGE) is IMAGE
    assert transforms.Normalize(1.0, 2.0)(np.full([3, 1, 1], 5.0)).tolist() == [[[2.0]]] * 3


def test_a_list_of_interpolations_is_drawn_from() -> None:
    found = {functional.resize(IMAGE, (8, 8), [0, 1]).tobytes() for _ in range(30)}
    assert found == {functional.resize(IMAGE, (8, 8), kind).tobytes() for kind in (0, 1)}


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32", "float64"])
def test_a_constant_image_stays_constant(dtype: str) -> None:
    image = np.full([11, 13, 3], 77, dtype)
    for size in ((5, 6), (22, 26), (5, 30), (13, 4)):
        for kind in range(5):
            found = functional.resize(image, size, kind)
            assert (found.dtype, found.shape) == (image.dtype, (*size, 3))
            np.testing.assert_allclose(found.astype("float64"), 77, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: transforms.Resize("x"), ArgumentTypeError, "Resize: size got str 'x'"),
        (lambda: transforms.CenterCrop((1, 2, 3)), ArgumentTypeError, "output_size got tuple"),
        (lambda: transforms.CenterCrop(9)(IMAGE), ShapeError, "img got 4 x 5 pixels, needs at least 9 x 9"),
        (lambda: transforms.RandomResizedCrop(2, scale=(1, 0.5)), ArgumentValueError, "scale got tuple"),
        (lambda: transforms.Permute("HWC"), ArgumentValueError, "mode got str 'HWC', needs 'CHW'"),
        (lambda: transforms.HueTransform(0.6), ArgumentValueError, "hue value got float 0.6, needs from 0 to 0.5"),
        (lambda: transforms.ContrastTransform(-1), ArgumentValueError, "contrast value got int -1, needs non-negative"),
        (lambda: transforms.HueTransform(0.1)(IMAGE[..., 0]), ShapeError, "needs rows x columns x 3"),
        (lambda: transforms.SaturationTransform(0.1)(IMAGE[..., :2]), ShapeError, "needs rows x columns x 3"),
        (lambda: functional.resize(IMAGE, (0, 3)), ArgumentValueError, "size got 0 x 3"),
        (lambda: functional.resize(IMAGE, 2, 9), ArgumentValueError, "interpolation got int 9, needs 0 .nearest."),
        (lambda: functional.resize(IMAGE.astype("int64"), 2), DtypeError, "int64, needs one of uint8"),
        (lambda: functional.resize(IMAGE[0, 0], (2, 2)), ArgumentValueError, "image got ndarray of shape .3."),
        (lambda: functional.flip([[1]], 0), ArgumentTypeError, "flip: image got list"),
    ],
)
def test_wrong_transforms(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("network", [models.MobileNetV1, models.MobileNetV2])
def test_a_scale_that_is_no_number_is_refused(network: Any) -> None:
    with mode(fluid, True), pytest.raises(ArgumentTypeError, match=f"{network.__name__}: scale got .*, needs a number"):
        network(scale=fluid.core.VarDesc.VarType.LOD_TENSOR_ARRAY)


@pytest.mark.parametrize("flip", [transforms.RandomHorizontalFlip, transforms.RandomVerticalFlip])
def test_a_probability_that_is_no_number_is_refused(flip: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=f"{flip.__name__}: prob got .*, needs a number"):
        flip("half")


@pytest.mark.parametrize("compose", [transforms.Compose, transforms.BatchCompose])
def test_transforms_that_are_no_functions_are_refused(compose: Any) -> None:
    with pytest.raises(
        ArgumentTypeError, match=f"{compose.__name__}: transforms got int 3 among them, needs functions"
    ):
        compose([abs, 3])
