"""Files and labels in folders, as PaddlePaddle 0.10 prepared data sets: `paddle.utils.preprocess_util`."""

from __future__ import annotations

import os
import pickle
from collections.abc import Collection, Sequence
from typing import Any

__all__ = [
    "Label",
    "exclude_pattern",
    "get_label_set_from_dir",
    "list_dirs",
    "list_files",
    "list_images",
    "save_file",
    "save_list",
]


class Label:
    """A class of a data set.

    Arguments:
        label: its number.
        name: its name.
    """

    def __init__(self, label: int, name: str) -> None:
        self.label, self.name = label, name

    def convert_to_paddle_format(self) -> int:
        """Return the number."""
        return int(self.label)

    def __hash__(self) -> int:
        return hash(self.label)


def exclude_pattern(f: str) -> bool:
    """Return whether a file is one that editors hide: its name begins with a dot or ends with a tilde."""
    return f.startswith(".") or f.endswith("~")


def list_dirs(path: str) -> list[str]:
    """Return the paths of the folders in a folder."""
    return [each for each in _entries(path) if os.path.isdir(each)]


def list_files(path: str) -> list[str]:
    """Return the paths of the files in a folder, without those that `exclude_pattern` finds."""
    return [each for each in _entries(path) if os.path.isfile(each) and not exclude_pattern(os.path.basename(each))]


def list_images(path: str, exts: Collection[str] = frozenset({"jpg", "png", "bmp", "jpeg"})) -> list[str]:
    """Return the paths of the files in a folder whose names end with one of these words after a dot."""
    return [each for each in list_files(path) if each.rpartition(".")[2] in exts]


def _entries(path: str) -> list[str]:
    return [os.path.join(path, name) for name in os.listdir(path)]


def get_label_set_from_dir(path: str) -> dict[str, int]:
    """Return the name of each folder in a folder -> its number in their order."""
    return {name: number for number, name in enumerate(sorted(map(os.path.basename, list_dirs(path))))}


def save_list(l: Sequence[str], outfile: str) -> None:  # noqa: E741 - the name in 1.8.5
    """Write texts into a file, one a line."""
    with open(outfile, "w", encoding="utf-8") as file:
        file.write("\n".join(l))


def save_file(data: Any, filename: str) -> None:
    """Write an object into a file, by pickle."""
    with open(filename, "wb") as file:
        pickle.dump(data, file, protocol=4)
