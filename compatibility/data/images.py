"""Writes synthetic pictures in the layouts that programs read: `images.py LAYOUT FOLDER [COUNT]`."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image


def picture(file: Path, seed: int, size: tuple[int, int] = (72, 80)) -> None:
    """Write a picture of a few rectangles on a noisy ground."""
    rng = np.random.RandomState(seed)
    pixels = rng.randint(0, 40, (*size, 3))
    for _ in range(3):
        top, left = rng.randint(0, size[0] // 2), rng.randint(0, size[1] // 2)
        pixels[top : top + size[0] // 3, left : left + size[1] // 3] = rng.randint(0, 256, 3)
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels.astype(np.uint8)).save(file, "PNG")  # whatever its suffix: PNG reads the same everywhere


def patches(folder: Path, count: int) -> None:
    """Grey pictures of 32 x 32, and fabric_list.txt with their names from the program's folder."""
    names = [folder / f"train/{k}.png" for k in range(count)]
    for k, name in enumerate(names):
        picture(name, k, (32, 32))
        Image.open(name).convert("L").save(name)
    (folder / "fabric_list.txt").write_text("".join(f"{name}\n" for name in names))


def imagenet(folder: Path, count: int) -> None:
    """Pictures of four classes: train_list.txt and val_list.txt beside train/ and val/."""
    for part, number in (("train", count), ("val", max(count // 2, 4))):
        names = [f"{part}/{k}.jpg" for k in range(number)]
        for k, name in enumerate(names):
            picture(folder / name, k % 4)
        (folder / f"{part}_list.txt").write_text("".join(f"{name} {k % 4}\n" for k, name in enumerate(names)))


def online_products(folder: Path, count: int) -> None:
    """The lists of Stanford Online Products: classes of four pictures each."""
    for part, start in (("train", 0), ("test", count)):
        lines = ["image_id class_id super_class_id path"]
        for k in range(count):
            name = f"things/{part}_{k}.jpg"
            picture(folder / name, k)
            lines.append(f"{start + k + 1} {k // 4 + 1} 1 {name}")
        (folder / f"Ebay_{part}.txt").write_text("\n".join(lines) + "\n")


def text_lines(folder: Path, count: int) -> None:
    """Grey pictures of lines, with the numbers of their letters: width height name letters."""
    rng = random.Random(21)
    for part in ("train", "test"):
        lines = []
        for k in range(count):
            name, letters = f"{k}.jpg", [rng.randint(0, 9) for _ in range(rng.randint(3, 6))]
            picture(folder / f"{part}_images" / name, k, (48, 96))
            lines.append(f"96 48 {name} {','.join(map(str, letters))}\n")
        (folder / f"{part}.list").write_text("".join(lines))


def segmentation(folder: Path, count: int) -> None:
    """Pictures and masks of two classes: train_list.txt, val_list.txt and test_list.txt name pairs."""
    for k in range(count):
        picture(folder / f"images/{k}.jpg", k)
        mask = np.zeros((72, 80), np.uint8)
        mask[10 + k : 40 + k, 20:50] = 1
        (folder / "masks").mkdir(exist_ok=True)
        Image.fromarray(mask).save(folder / f"masks/{k}.png")
    lines = "".join(f"images/{k}.jpg masks/{k}.png\n" for k in range(count))
    for part in ("train", "val", "test"):
        (folder / f"{part}_list.txt").write_text(lines)


def folders(folder: Path, count: int) -> None:
    """Pictures of ten classes in folders 0 to 9."""
    for k in range(count):
        picture(folder / f"{k % 10}/{k}.jpg", k % 10, (100, 100))


def characters(folder: Path, count: int) -> None:
    """Grey pictures of 20 x 20 of ten classes in folders 0 to 9."""
    for k in range(count):
        name = folder / f"{k % 10}/{k}.png"
        picture(name, k % 10, (20, 20))
        Image.open(name).convert("L").save(name)


def episodes(folder: Path, count: int) -> None:
    """Pictures of 84 x 84 of six classes in folders n0 to n5."""
    for k in range(count):
        picture(folder / f"n{k % 6}/{k}.jpg", k, (84, 84))


def digits(folder: Path, count: int) -> None:
    """Pictures 1.jpg, 2.jpg ... of 15 x 30, and labels.txt with a digit for each."""
    rng = random.Random(31)
    labels = [rng.randrange(10) for _ in range(count)]
    for k, label in enumerate(labels):
        picture(folder / f"{k + 1}.jpg", label, (30, 15))
    (folder / "labels.txt").write_text("".join(map(str, labels)))


def coco(folder: Path, count: int) -> None:
    """Pictures with two boxes each, and their polygons, in the form of COCO 2017."""
    kinds = [{"id": k + 1, "name": f"kind{k + 1}", "supercategory": "thing"} for k in range(80)]
    for part in ("train2017", "val2017"):
        images, boxes = [], []
        for k in range(count):
            name = f"{k:012}.jpg"
            picture(folder / part / name, k, (128, 160))
            images.append({"id": k, "file_name": name, "height": 128, "width": 160})
            for left, top in ((10 + 5 * k, 20), (70, 30 + 6 * k)):
                width, height = 40 + 3 * k, 50
                polygon = [left, top, left + width, top, left + width, top + height, left, top + height]
                box = {"id": len(boxes) + 1, "image_id": k, "category_id": len(boxes) % 4 + 1, "iscrowd": 0}
                box |= {"bbox": [left, top, width, height], "area": width * height, "segmentation": [polygon]}
                boxes.append(box)
        file = folder / f"annotations/instances_{part}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"images": images, "annotations": boxes, "categories": kinds}))


def faces(folder: Path, count: int) -> None:
    """Pictures with two boxes each in the form of WIDER FACE."""
    for part in ("train", "val"):
        lines = []
        for k in range(count):
            name = f"0--Parade/{k}.jpg"
            picture(folder / f"WIDER_{part}/images" / name, k, (128, 160))
            lines += [name, "2", f"{10 + k} 20 40 50 0 0 0 0 0 0", f"{70 + k} 30 50 60 0 0 0 0 0 0"]
        file = folder / f"wider_face_split/wider_face_{part}_bbx_gt.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n")


def voc(folder: Path, count: int) -> None:
    """Pictures with one box each in the form of Pascal VOC: trainval.txt and test.txt name picture and XML file.

    label_list names the kinds.
    """
    lines = []
    for k in range(count):
        picture(folder / f"JPEGImages/{k}.jpg", k, (128, 160))
        box = f"<xmin>{10 + k}</xmin><ymin>{20 + k}</ymin><xmax>{80 + k}</xmax><ymax>{90 + k}</ymax>"
        thing = f"<object><name>{('cat', 'dog')[k % 2]}</name><difficult>0</difficult><bndbox>{box}</bndbox></object>"
        size = "<size><width>160</width><height>128</height><depth>3</depth></size>"
        file = folder / f"Annotations/{k}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<annotation><filename>{k}.jpg</filename>{size}{thing}</annotation>")
        lines.append(f"JPEGImages/{k}.jpg Annotations/{k}.xml\n")
    for name in ("trainval.txt", "test.txt"):
        (folder / name).write_text("".join(lines))
    (folder / "label_list").write_text("background\ncat\ndog\n")


def resolutions(folder: Path, count: int) -> None:
    """Pictures of 96 x 96 and a quarter of that, whose names train.csv and test.csv have: hr_image_path, lr_image_path."""
    names = [(f"high/{k}.png", f"low/{k}.png") for k in range(count)]
    for k, (high, low) in enumerate(names):
        picture(folder / high, k, (96, 96))
        (folder / "low").mkdir(exist_ok=True)
        Image.open(folder / high).resize((24, 24)).save(folder / low)
    lines = ["hr_image_path,lr_image_path", *(",".join(pair) for pair in names)]
    for part in ("train", "test"):
        (folder / f"{part}.csv").write_text("\n".join(lines) + "\n")


def pairs(folder: Path, count: int) -> None:
    """Two kinds of pictures, A and B: trainA/, trainB/, testA/, testB/ with lists of the same names."""
    for part in ("train", "test"):
        for side in "AB":
            names = [f"{part}{side}/{k}.jpg" for k in range(count)]
            for k, name in enumerate(names):
                picture(folder / name, k + 100 * (side == "B"), (300, 300))
            (folder / f"{part}{side}.txt").write_text("".join(f"{name}\n" for name in names))


def labelled(folder: Path, count: int) -> None:
    """Pictures of four classes in Images/, with their numbers in labels/Train.txt and labels/Eval.txt."""
    (folder / "labels").mkdir()
    for part, number in (("Train", count), ("Eval", max(count // 2, 2))):
        names = [f"{part}{k}.png" for k in range(number)]
        for k, name in enumerate(names):
            picture(folder / "Images" / name, k % 4)
        (folder / "labels" / f"{part}.txt").write_text("".join(f"{name} {k % 4}\n" for k, name in enumerate(names)))


if __name__ == "__main__":
    layout, folder, *count = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    globals()[layout](Path(folder), int(count[0]) if count else 8)
