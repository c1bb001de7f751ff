"""Data sets in small files of their formats, and files that are downloaded."""

from __future__ import annotations

import gzip
import io
import os
import struct
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError, MissingFileError
from paddle_lite.dataset import flowers
from paddle_lite.dataset.common import DownloadError
from paddle_lite.hapi.datasets import MNIST, DatasetFolder, Flowers, ImageFolder
from paddle_lite.hapi.download import get_path_from_url

PUBLISHED = Path(os.environ.get("PADDLE_LITE_DATA_HOME", ""), "mnist", "t10k-images-idx3-ubyte.gz")


def png(color: tuple[int, int, int], size: tuple[int, int] = (4, 3)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, color).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def digits(tmp_path: Path) -> tuple[str, str]:
    """Two idx files with three digits."""
    pixels = np.arange(3 * 784, dtype="uint8")
    for name, content in (
        ("images", struct.pack(">4I", 0x803, 3, 28, 28) + pixels.tobytes()),
        ("labels", struct.pack(">2I", 0x801, 3) + bytes([7, 1, 2])),
    ):
        (tmp_path / name).write_bytes(gzip.compress(content))
    return str(tmp_path / "images"), str(tmp_path / "labels")


def test_mnist(digits: tuple[str, str]) -> None:
    data = MNIST(*digits, download=False)
    assert len(data) == 3
    image, label = data[0]
    assert (image.shape, image.dtype, label.tolist(), label.dtype) == ((1, 28, 28), np.float32, [7], np.int64)
    np.testing.assert_allclose(image.ravel()[:256], np.arange(256) / 127.5 - 1, atol=1e-6)
    flat = MNIST(*digits, chw_format=False, transform=lambda image: image.sum())
    assert flat[1][0] == pytest.approx(float(data.images[1].sum()))
    with pytest.raises(ArgumentValueError, match="mode got str 'valid', needs 'train' or 'test'"):
        MNIST(*digits, mode="valid")
    with pytest.raises(MissingFileError, match="mnist: None does not exist, and download is False"):
        MNIST(image_path=digits[0], download=False)


@pytest.mark.data
@pytest.mark.skipif(not PUBLISHED.is_file(), reason="PADDLE_LITE_DATA_HOME does not hold mnist")
def test_the_published_digits() -> None:
    data = MNIST(mode="test")
    assert (len(data), data[0][1].tolist()) == (10000, [7])


def matlab(name: str, numbers: list[int]) -> bytes:
    """A MATLAB file of version 5 with a row of doubles."""

    def element(kind: int, content: bytes) -> bytes:
        return struct.pack("<2I", kind, len(content)) + content + bytes(-len(content) % 8)

    row = np.array(numbers, "<f8").tobytes()
    shape = struct.pack("<2i", 1, len(numbers))
    matrix = element(6, struct.pack("<2I", 6, 0)) + element(5, shape) + element(1, name.encode()) + element(9, row)
    return b"MATLAB 5.0".ljust(124) + struct.pack("<H2s", 0x100, b"IM") + element(14, matrix)


def test_flowers(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "flowers.tgz", "w:gz") as archive:
        for number in (1, 3):
            member = tarfile.TarInfo(f"jpg/image_{number:05d}.jpg")
            content = png((10 * number, 20, 30))
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    (tmp_path / "labels.mat").write_bytes(matlab("labels", [5, 6, 7]))
    (tmp_path / "setid.mat").write_bytes(matlab(flowers.TEST_FLAG, [3, 1, 2]))
    paths = [str(tmp_path / name) for name in ("flowers.tgz", "labels.mat", "setid.mat")]
    data = Flowers(*paths, mode="TEST", download=False)
    image, label = data[0]
    assert (len(data), image.shape, image[0, 0].tolist(), label.tolist()) == (3, (3, 4, 3), [30, 20, 30], [7])
    assert Flowers(*paths, mode="test", transform=np.max)[1][0] == 30
    with pytest.raises(FileFormatError, match=r"it holds no jpg/image_00002.jpg"):
        data[2]
    with pytest.raises(ArgumentValueError, match="mode got str 'eval'"):
        Flowers(*paths, mode="eval")
    (tmp_path / "flowers.tgz").write_bytes(b"no archive")
    with pytest.raises(FileFormatError, match=r"expected 102flowers.tgz"):
        Flowers(*paths, mode="test")


def test_folders_of_images(tmp_path: Path) -> None:
    for name, color in (("b/2.png", (1, 2, 3)), ("b/deep/1.PNG", (4, 5, 6)), ("a/x.png", (7, 8, 9)), ("a/y.txt", None)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"" if color is None else png(color))
    data = DatasetFolder(str(tmp_path), transform=lambda image: image[0, 0].tolist())
    assert (data.classes, data.class_to_idx, data.targets) == (["a", "b"], {"a": 0, "b": 1}, [0, 1, 1])
    assert [data[i] for i in range(len(data))] == [([9, 8, 7], 0), ([3, 2, 1], 1), ([6, 5, 4], 1)]
    assert [sample[0].shape for sample in (ImageFolder(str(tmp_path))[i] for i in range(3))] == [(3, 4, 3)] * 3
    texts = ImageFolder(str(tmp_path), loader=str, is_valid_file=lambda path: path.endswith(".txt"))
    assert [texts[0]] == [[str(tmp_path / "a" / "y.txt")]]
    for kind in (DatasetFolder, ImageFolder):
        with pytest.raises(
            MissingFileError, match=r"Found 0 files in subfolders of: .*\nSupported extensions are: .gif"
        ):
            kind(str(tmp_path), extensions=(".gif",))
        with pytest.raises(ArgumentTypeError, match="is_valid_file got one, with extensions"):
            kind(str(tmp_path), extensions=(".gif",), is_valid_file=bool)
    with pytest.raises(MissingFileError, match="needs an existing folder"):
        DatasetFolder(str(tmp_path / "nothing"))


@pytest.mark.parametrize("suffix", [".tar", ".zip"])
def test_archives_are_unpacked(suffix: str, tmp_path: Path) -> None:
    def archive(name: str, files: list[str]) -> str:
        path = tmp_path / (name + suffix)
        if suffix == ".tar":
            with tarfile.open(path, "w") as tar:
                for each in files:
                    member = tarfile.TarInfo(each)
                    member.size = len(each)
                    tar.addfile(member, io.BytesIO(each.encode()))
        else:
            with zipfile.ZipFile(path, "w") as packed:
                for each in files:
                    packed.writestr(each, each)
        return path.as_uri()

    home = tmp_path / "home"
    assert get_path_from_url(archive("one", ["only.txt"]), str(home)) == str(home / "only.txt")
    assert get_path_from_url(archive("folder", ["f/a", "f/g/b"]), str(home)) == str(home / "f")
    assert (home / "f" / "g" / "b").read_text() == "f/g/b"
    assert get_path_from_url(archive("many", ["x", "y"]), str(home)) == str(home / "many")
    assert (home / "many" / "y").read_text() == "y"
    for evil in ("../x", "/x"):
        with pytest.raises(FileFormatError, match="lies outside of it"):
            get_path_from_url(archive("evil" + str(len(evil)), [evil, "b"]), str(home))


def test_a_file_is_downloaded_once(tmp_path: Path) -> None:
    source, home = tmp_path / "weights.bin", str(tmp_path / "home")
    source.write_bytes(b"1")
    path = get_path_from_url(source.as_uri(), home)
    source.write_bytes(b"2")
    assert Path(get_path_from_url(source.as_uri(), home)).read_bytes() == b"1"
    assert Path(get_path_from_url(source.as_uri(), home, check_exist=False)).read_bytes() == b"2"
    with pytest.raises(DownloadError, match=f"expected {'0' * 32}. Put the file at") as caught:
        get_path_from_url(source.as_uri(), home, md5sum="0" * 32)
    assert isinstance(caught.value, RuntimeError)
    with pytest.raises(ArgumentValueError, match="url got str 'weights'"):
        get_path_from_url("weights", home)
    assert Path(path).is_file()
