"""The demo runs from data to pictures, on the digits that scikit-learn bundles."""

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import demo


@pytest.fixture(autouse=True)
def imperative():
    with paddle.imperative.guard():
        yield


def test_it_trains_saves_loads_evaluates_and_draws(tmp_path, capsys):
    assert demo.run("digits", 3, 64, 1, tmp_path)
    said = capsys.readouterr().out
    accuracy = float(said.split(".pdparams: ")[1].split("%")[0])
    assert accuracy > 90
    assert "samples/s" in said and "accuracy=" in said and "loss=" in said
    names = {p.name for p in tmp_path.iterdir()}
    assert names == {"mnist.pdparams", "mnist.pdopt", "loss.png", "predictions.png", "confusion.png"}
    for picture in ("loss.png", "predictions.png", "confusion.png"):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")


def test_it_says_so_when_the_accuracy_is_too_low(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(demo.EPOCHS, "digits", 1)
    monkeypatch.setitem(demo.GOAL, "digits", 1.1)
    assert not demo.run("digits", None, 256, 1, tmp_path)
    assert "below 110%" in capsys.readouterr().err


def test_a_missing_data_set_is_replaced_by_the_bundled_digits(monkeypatch, capsys):
    def nowhere():
        raise demo.DownloadError("no network")

    monkeypatch.setattr(demo.mnist, "train", nowhere)
    name, train, _ = demo.choose_data("auto")
    assert name == "digits" and "no network" in capsys.readouterr().out
    image, label = next(iter(train()))
    assert image.shape == (784,) and image.dtype == np.float32 and 0 <= label <= 9
    with pytest.raises(demo.DownloadError):
        demo.choose_data("mnist")
