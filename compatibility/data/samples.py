"""Writes small synthetic data that is neither text nor lone pictures: `samples.py LAYOUT FOLDER [COUNT]`."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import sys
import wave
from pathlib import Path

import numpy as np
from images import picture


def travellers(folder: Path, count: int) -> None:
    """Numbers of people who go to 75 cities a day, and of those who fall ill there: input.csv and output.csv."""
    rng = np.random.RandomState(1)
    names = ",".join(f"city{k}" for k in range(75))
    for file, days in (("input.csv", 2 * count), ("output.csv", count)):
        rows = rng.randint(0, 900, (days, 75))
        lines = [f"day{k},{','.join(map(str, row))}" for k, row in enumerate(rows)]
        (folder / file).write_text("\n".join([f"date,{names}", *lines]) + "\n")


def clips(folder: Path, count: int) -> None:
    """Clips of six frames of three channels of 16 x 16 with a square that moves: train.npz and valid.npz."""
    for part in ("train", "valid"):
        frames = np.zeros((6 * count, 3, 16, 16), np.float32)
        for k in range(6 * count):
            frames[k, :, 2 + k % 6 : 6 + k % 6, 3 + k // 6 % 9 : 7 + k // 6 % 9] = 0.9
        starts = np.array([[(6 * k + 3 * half, 3) for k in range(count)] for half in (0, 1)])
        np.savez(folder / f"{part}.npz", clips=starts, dims=np.array([[3, 16, 16]]), input_raw_data=frames)


def visits(folder: Path, count: int) -> None:
    """Visits of places by hours: lists train.txt and val.txt, arrays of [7, 26, 24], and kinds from 1 to 9."""
    rng = np.random.RandomState(2)
    (folder / "npy/train_visit").mkdir(parents=True)
    for part, number in (("train", count), ("val", count // 4)):
        names = []
        for k in range(number):
            kind = k % 9 + 1
            name = f"{part}{k:04}_{kind:03}"
            np.save(folder / f"npy/train_visit/{name}.npy", rng.randint(0, 90 * kind, (7, 26, 24)).astype(np.float64))
            names.append(f"images/{name}.jpg\n")
        (folder / f"{part}.txt").write_text("".join(names))


def crowd(folder: Path, count: int) -> None:
    """Pictures with the places of heads: data_list.txt."""
    rng = random.Random(3)
    lines = []
    for k in range(count):
        picture(folder / f"{k}.jpg", k, (240, 320))
        lines.append(f"{folder}/{k}.jpg\t{[[rng.randint(10, 300), rng.randint(10, 220)] for _ in range(9)]}\n")
    (folder / "data_list.txt").write_text("".join(lines))


def trees(folder: Path, count: int) -> None:
    """Sentences with the head of each word and the kind of the arc, in the form of CoNLL-X."""
    rng = random.Random(4)
    for part in ("train", "dev", "test"):
        blocks = []
        for _ in range(count):
            length = rng.randint(4, 9)
            root = rng.randint(1, length)
            rows = []
            for k in range(1, length + 1):
                head, kind = (0, "HED") if k == root else (root, "SBV" if k < root else "VOB")
                word = "".join(rng.choice("甲乙丙丁戊己庚辛") for _ in range(rng.randint(1, 2)))
                rows.append(f"{k}\t{word}\t{word}\tn\tn\t_\t{head}\t{kind}\t_\t_\n")
            rows.append(f"{length + 1}\t。\t。\tw\tw\t_\t{root}\tMT\t_\t_\n")
            blocks.append("".join(rows))
        (folder / f"{part}.txt").write_text("\n".join(blocks) + "\n", encoding="utf8")


def prices(folder: Path, count: int) -> None:
    """Days of a stock: date, price at the end, highest, lowest, at the start, trade and change: prices.csv."""
    rng = np.random.RandomState(5)
    price = 3000 * np.cumprod(1 + 0.01 * rng.randn(count))
    rows = ["date,over,high,low,open,trade,wave"]
    for day, (start, end) in enumerate(itertools.pairwise(price)):
        high, low = max(start, end) * 1.004, min(start, end) * 0.996
        date = f"{2000 + day // 336}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}"
        rows.append(f"{date},{end:.2f},{high:.2f},{low:.2f},{start:.2f},{rng.randint(9000)},{end / start - 1:.4f}")
    (folder / "prices.csv").write_text("\n".join(rows) + "\n")


def quotes(folder: Path, count: int) -> None:
    """Days of a share since 2013-09-16, the oldest first: date, open, high, low, close and volume: AAPL."""
    rng = np.random.RandomState(6)
    ends = 60 * np.cumprod(1 + 0.01 * rng.randn(count + 1))
    rows = ["date,open,high,low,close,volume"]
    for day, (start, end) in enumerate(itertools.pairwise(ends)):
        date = np.datetime64("2013-09-16") + day
        high, low = max(start, end) * 1.004, min(start, end) * 0.996
        rows.append(f"{date},{start:.2f},{high:.2f},{low:.2f},{end:.2f},{rng.randint(1000, 9000)}")
    (folder / "AAPL").write_text("\n".join(rows) + "\n")


def speech(folder: Path, count: int) -> None:
    """Sounds of some tones, of a second or more: manifest.train, manifest.dev, zh_vocab.txt and mean_std.npz."""
    rng = np.random.RandomState(6)
    letters = [chr(0x4E00 + k) for k in range(8)]
    for part, number in (("train", count), ("dev", count // 2)):
        lines = []
        for k in range(number):
            chosen = rng.randint(0, len(letters), rng.randint(2, 5))
            time = np.arange(4000) / 16000
            sound = np.concatenate(
                [np.sin(2 * np.pi * (200 + 150 * letter) * time) for letter in chosen] + [np.zeros(9000)]
            )
            file = folder / f"{part}{k}.wav"
            with wave.open(str(file), "wb") as out:
                out.setparams((1, 2, 16000, 0, "NONE", ""))
                out.writeframes((8000 * sound).astype("<i2").tobytes())
            text = "".join(letters[letter] for letter in chosen)
            lines.append(json.dumps({"audio_filepath": str(file), "duration": len(sound) / 16000, "text": text}) + "\n")
        (folder / f"manifest.{part}").write_text("".join(lines))
    (folder / "zh_vocab.txt").write_text("".join(f"{letter}\n" for letter in letters), encoding="utf8")
    np.savez(folder / "mean_std.npz", mean=np.full((161, 1), -9.0), std=np.full((161, 1), 4.0))


def recordings(folder: Path, count: int) -> None:
    """Sounds of a third of a second with what is said, as LJSpeech has them: wavs/NAME.wav and metadata.csv."""
    rng = np.random.RandomState(8)
    (folder / "wavs").mkdir(parents=True)
    rows = []
    for k in range(count):
        time = np.arange(6600 + 110 * k) / 22050
        tones = 200 + 900 * rng.rand(3)
        sound = sum(np.sin(2 * np.pi * tone * time) for tone in tones) / 4 + 0.02 * rng.randn(len(time))
        with wave.open(str(folder / "wavs" / f"LJ001-{k:04}.wav"), "wb") as out:
            out.setparams((1, 2, 22050, 0, "NONE", ""))
            out.writeframes((30000 * sound).astype("<i2").tobytes())
        said = " ".join(rng.choice(["the", "old", "sea", "is", "wide"], rng.randint(2, 5)))
        rows.append(f"LJ001-{k:04}|{said}|{said}\n")
    (folder / "metadata.csv").write_text("".join(rows))


def faces(folder: Path, count: int) -> None:
    """Pictures of 12 x 12 in one file, with kinds from -2 to 1, boxes and five points: all_data.header, .data and .label."""
    rng = np.random.RandomState(7)
    header, label, content = [], [], b""
    for k in range(count):
        picture(folder / "one.png", k, (12, 12))
        one = (folder / "one.png").read_bytes()
        header.append(f"{k}\t{len(content)}\t{len(one)}\n")
        content += one
        box, points = (" ".join(f"{value:.4f}" for value in rng.uniform(-0.3, 0.3, size)) for size in (4, 10))
        label.append(f"{k}\t{box}\t{points}\t{k % 4 - 2}\n")
    (folder / "all_data.header").write_text("".join(header))
    (folder / "all_data.label").write_text("".join(label))
    (folder / "all_data.data").write_bytes(content)


def parts(folder: Path, count: int) -> None:
    """Clouds of 300 points in two kinds, with the part of each point, in the form of ShapeNet."""
    rng = np.random.RandomState(11)
    kinds, names = {"Cone": "01", "Ball": "02"}, []
    (folder / "synsetoffset2category.txt").write_text("".join(f"{kind}\t{kinds[kind]}\n" for kind in kinds))
    for k in range(count):
        number = list(kinds.values())[k % 2]
        for part in ("points", "points_label"):
            (folder / number / part).mkdir(parents=True, exist_ok=True)
        np.savetxt(folder / number / f"points/{k:04}.pts", rng.uniform(-1, 1, (300, 3)), "%.4f")
        np.savetxt(folder / number / f"points_label/{k:04}.seg", rng.randint(1, 4, 300), "%d")
        names.append(f"shape_data/{number}/{k:04}")
    (folder / "train_test_split").mkdir()
    for part in ("train", "val", "test"):
        (folder / f"train_test_split/shuffled_{part}_file_list.json").write_text(json.dumps(names))


def films(folder: Path, count: int) -> None:
    """Films of ten pictures as pickles of a name, one of four kinds, and the files: train.list, val.list and test.list."""
    names = []
    for k in range(count):
        for frame in range(10):
            picture(folder / f"{frame}.jpg", k % 4 + 10 * frame, (90, 100))
        frames = [(folder / f"{frame}.jpg").read_bytes() for frame in range(10)]
        names.append(f"{folder}/{k}.pkl\n")
        (folder / f"{k}.pkl").write_bytes(pickle.dumps((f"film{k}", k % 4, frames), protocol=2))
    for part in ("train", "val", "test"):
        (folder / f"{part}.list").write_text("".join(names))


def frames(folder: Path, count: int) -> None:
    """Films of ten pictures in folders KIND/FILM, of four kinds: films.json has training and validation."""
    films = {}
    for part in ("training", "validation"):
        for k in range(count):
            film, kind = f"{part}{k}", f"kind{k % 4}"
            for frame in range(10):
                picture(folder / kind / film / f"image_{frame + 1:05}.jpg", k % 4 + 10 * frame, (48, 56))
            films[film] = {"subset": part, "annotations": {"label": kind, "segment": [1, 11]}}
    written = {"labels": [f"kind{k}" for k in range(4)], "database": films}
    (folder / "films.json").write_text(json.dumps(written))


if __name__ == "__main__":
    layout, folder, *count = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    globals()[layout](Path(folder), int(count[0]) if count else 8)
