"""Trains a model of PaddleX 1 on pictures made here, evaluates, saves, loads and predicts: `use_paddlex.py MODEL`."""

import os
import sys

import numpy as np
import paddlex as pdx
from paddlex.cls import transforms as cls_transforms
from paddlex.det import transforms as det_transforms
from paddlex.seg import transforms as seg_transforms
from PIL import Image

RNG = np.random.RandomState(3)
FILES = ("data", "data/list.txt", "data/labels.txt")
COMMON = {"num_workers": 1, "parallel_method": "thread", "shuffle": False}
TRAINING = {
    "num_epochs": 2,
    "log_interval_steps": 1,
    "save_interval_epochs": 1,
    "save_dir": "saved",
    "pretrain_weights": None,
}


def picture(size):
    """Return a noisy picture with a bright rectangle, and the rectangle."""
    pixels = RNG.randint(0, 120, (size, size, 3)).astype("uint8")
    x, y = RNG.randint(2, size // 3, 2)
    w, h = RNG.randint(size // 3, size // 2, 2)
    pixels[y : y + h, x : x + w] = RNG.randint(150, 255, 3)
    return pixels, (int(x), int(y), int(x + w), int(y + h))


def write(name, lines):
    """Write lines of text."""
    with open(name, "w") as file:
        file.writelines(line + "\n" for line in lines)


def classifier(name):
    """Tell pictures that are bright on the left from others."""
    os.makedirs("data")
    lines = []
    for i in range(8):
        pixels, box = picture(240)
        Image.fromarray(pixels).save(f"data/{i}.png")
        lines.append(f"{i}.png {box[0] % 2}")
    write("data/list.txt", lines)
    write("data/labels.txt", ["even", "odd"])

    def transforms():
        return cls_transforms.Compose([cls_transforms.CenterCrop(224), cls_transforms.Normalize()])

    data, tests = (pdx.datasets.ImageNet(*FILES, transforms(), **COMMON) for _ in range(2))
    model = getattr(pdx.cls, name)(num_classes=2)
    model.train(
        train_dataset=data,
        eval_dataset=tests,
        train_batch_size=4,
        learning_rate=0.0001,
        lr_decay_epochs=[1],
        **TRAINING,
    )
    return model, tests, transforms(), "data/1.png"


def segmenter(name):
    """Find the rectangle."""
    os.makedirs("data")
    lines = []
    for i in range(4):
        pixels, (x, y, right, bottom) = picture(64)
        marks = np.zeros(pixels.shape[:2], "uint8")
        marks[y:bottom, x:right] = 1
        Image.fromarray(pixels).save(f"data/{i}.png")
        Image.fromarray(marks).save(f"data/{i}_marks.png")
        lines.append(f"{i}.png {i}_marks.png")
    write("data/list.txt", lines)
    write("data/labels.txt", ["ground", "rectangle"])

    def transforms():
        return seg_transforms.Compose([seg_transforms.Resize(64), seg_transforms.Normalize()])

    data, tests = (pdx.datasets.SegDataset(*FILES, transforms(), **COMMON) for _ in range(2))
    more = {"backbone": "MobileNetV2_x0.25"} if name == "DeepLabv3p" else {}
    model = getattr(pdx.seg, name)(num_classes=2, **more)
    model.train(train_dataset=data, eval_dataset=tests, train_batch_size=2, learning_rate=0.002, **TRAINING)
    return model, tests, transforms(), "data/1.png"


def detector(name):
    """Find the box of the rectangle."""
    for folder in ("data/JPEGImages", "data/Annotations"):
        os.makedirs(folder)
    lines = []
    shape = "<annotation><filename>%d.png</filename><size><width>96</width><height>96</height><depth>3</depth></size>"
    shape += (
        "<object><name>rectangle</name><difficult>0</difficult><bndbox><xmin>%d</xmin><ymin>%d</ymin><xmax>%d</xmax>"
    )
    shape += "<ymax>%d</ymax></bndbox></object></annotation>"
    for i in range(4):
        pixels, box = picture(96)
        Image.fromarray(pixels).save(f"data/JPEGImages/{i}.png")
        write(f"data/Annotations/{i}.xml", [shape % ((i,) + box)])
        lines.append(f"JPEGImages/{i}.png Annotations/{i}.xml")
    write("data/list.txt", lines)
    write("data/labels.txt", ["rectangle"])

    def transforms():
        return det_transforms.Compose([det_transforms.Resize(96, interp="CUBIC"), det_transforms.Normalize()])

    data, tests = (pdx.datasets.VOCDetection(*FILES, transforms(), **COMMON) for _ in range(2))
    more = {"backbone": "MobileNetV1"} if name == "YOLOv3" else {}
    model = getattr(pdx.det, name)(num_classes=1, **more)
    model.train(
        train_dataset=data, eval_dataset=tests, train_batch_size=2, learning_rate=0.0005, warmup_steps=1,
        lr_decay_epochs=[1, 3], metric="VOC", **TRAINING
    )  # fmt: skip
    return model, tests, transforms(), "data/JPEGImages/1.png"


def shown(result):
    """Return a result with its arrays as means."""
    if isinstance(result, dict):
        return {key: shown(value) for key, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [shown(value) for value in result[:5]]
    if isinstance(result, np.ndarray):
        return f"mean {result.mean():.5f}"
    return round(float(result), 4) if isinstance(result, (float, np.floating)) else result


def main(name):
    """Train, evaluate, load and predict."""
    kinds = {pdx.cls: classifier, pdx.seg: segmenter, pdx.det: detector}
    model, data, transforms, image = next(make for place, make in kinds.items() if hasattr(place, name))(name)
    print(f"evaluated: {shown(model.evaluate(data, batch_size=1))}")
    again = pdx.load_model("saved/epoch_2")
    print(f"predicted: {shown(again.predict(image, transforms))}")
    again.export_inference_model("exported")
    print("deployed: {}".format(shown(pdx.deploy.Predictor("exported").predict(image))))


if __name__ == "__main__":
    main(sys.argv[1])
