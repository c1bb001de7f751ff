"""Images of a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from ...core.errors import ArgumentTypeError, MissingFileError, describe, message
from ...dataset.image import load_image
from ...reader.dataset import Dataset

__all__ = ["DatasetFolder", "ImageFolder"]

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def _files(folder: str, is_valid: Callable[[str], bool]) -> Iterator[str]:
    """Yield the paths of the valid files in a folder and those below it, sorted in each."""
    for root, _, names in sorted(os.walk(folder, followlinks=True)):
        for name in sorted(names):
            path = os.path.join(root, name)
            if is_valid(path):
                yield path


def _validity(where: str, extensions: Any, is_valid_file: Any) -> tuple[Any, Callable[[str], bool]]:
    """Return the extensions and the function that says whether a file is valid.

    Raises:
        ArgumentTypeError: both are given.
    """
    if is_valid_file is not None:
        if extensions is not None:
            raise ArgumentTypeError(message(where, "is_valid_file", "one, with extensions", "one of the two"))
        return None, is_valid_file
    chosen = IMG_EXTENSIONS if extensions is None else tuple(extensions)
    return chosen, lambda path: path.lower().endswith(chosen)


def _nothing(root: str, extensions: Any) -> MissingFileError:
    """Return the error of a folder without valid files."""
    kinds = f"Supported extensions are: {','.join(extensions)}" if extensions else "is_valid_file accepts none."
    return MissingFileError(f"Found 0 files in subfolders of: {root}\n{kinds}")


class DatasetFolder(Dataset):
    """Images in a folder for each class: samples are (image, number of the class).

    Arguments:
        root: the folder of the folders; their names, sorted, are the classes.
        loader: a function that loads a file; by default it returns uint8 rows x columns x 3 (blue, green, red) and needs
            Pillow (the extra `image`).
        extensions: the extensions of the files, in lower case; those of images by default.
        transform: a function of what is loaded, whose result takes its place.
        is_valid_file: a function of a path, used instead of `extensions`.

    Attributes:
        classes: the names of the classes.
        class_to_idx: name -> number.
        samples: (path, number of the class) for each file.
        targets: the number of the class of each file.

    Raises:
        MissingFileError: there is no such file.
        ArgumentTypeError: both `extensions` and `is_valid_file` are given.

    >>> import os, tempfile, paddle_lite as paddle
    >>> root = tempfile.mkdtemp()
    >>> for name in ('cat', 'dog'):
    ...     os.mkdir(os.path.join(root, name))
    ...     open(os.path.join(root, name, '1.txt'), 'w').close()
    >>> data = paddle.hapi.datasets.DatasetFolder(root, loader=os.path.basename, extensions=('.txt',))
    >>> data.classes, len(data), data[1]
    (['cat', 'dog'], 2, ('1.txt', 1))
    """

    def __init__(
        self,
        root: str,
        loader: Callable[[str], Any] | None = None,
        extensions: Any = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.transform = root, transform
        self.extensions, is_valid = _validity("DatasetFolder", extensions, is_valid_file)
        home = os.path.expanduser(root)
        if not os.path.isdir(home):
            raise MissingFileError(message("DatasetFolder", "root", describe(root), "an existing folder"))
        self.classes = sorted(entry.name for entry in os.scandir(home) if entry.is_dir())
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        self.samples = [
            (path, number)
            for name, number in self.class_to_idx.items()
            for path in _files(os.path.join(home, name), is_valid)
        ]
        if not self.samples:
            raise _nothing(root, self.extensions)
        self.loader: Callable[[str], Any] = load_image if loader is None else loader
        self.targets = [number for _, number in self.samples]

    def __getitem__(self, index: int) -> tuple[Any, int]:
        """Return an image and the number of its class."""
        path, target = self.samples[index]
        sample = self.loader(path)
        return sample if self.transform is None else self.transform(sample), target

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.samples)


class ImageFolder(Dataset):
    """Images in a folder and those below it: samples are [image].

    Arguments:
        root: the folder.
        loader, extensions, transform, is_valid_file: as for DatasetFolder.

    Attributes:
        samples: the path of each file.

    Raises:
        MissingFileError: there is no such file.
        ArgumentTypeError: both `extensions` and `is_valid_file` are given.

    >>> import os, tempfile, paddle_lite as paddle
    >>> root = tempfile.mkdtemp()
    >>> open(os.path.join(root, '1.txt'), 'w').close()
    >>> paddle.hapi.datasets.ImageFolder(root, loader=os.path.basename, extensions=('.txt',))[0]
    ['1.txt']
    """

    def __init__(
        self,
        root: str,
        loader: Callable[[str], Any] | None = None,
        extensions: Any = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.transform = root, transform
        self.extensions, is_valid = _validity("ImageFolder", extensions, is_valid_file)
        self.samples = list(_files(os.path.expanduser(root), is_valid))
        if not self.samples:
            raise _nothing(root, self.extensions)
        self.loader: Callable[[str], Any] = load_image if loader is None else loader

    def __getitem__(self, index: int) -> list[Any]:
        """Return an image in a list."""
        sample = self.loader(self.samples[index])
        return [sample if self.transform is None else self.transform(sample)]

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.samples)
