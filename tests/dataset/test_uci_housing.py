"""Boston housing: a small file with the numbers PaddlePaddle makes of it, and the real one where it is."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import uci_housing

RECORDED = np.load(Path(__file__).with_name("housing_small.npz"))  # 11 districts; train and test of PaddlePaddle 1.8.5


@pytest.fixture
def small(cache, monkeypatch):
    """The recorded districts, in place of the published file."""
    path = cache / "uci_housing" / "housing.data"
    path.parent.mkdir(parents=True)
    np.savetxt(path, RECORDED["data"], fmt=" %.3f")
    monkeypatch.setattr(uci_housing, "MD5", hashlib.md5(path.read_bytes()).hexdigest())
    return path


def test_samples_are_paddles(small):
    assert uci_housing.UCI_TRAIN_DATA is None
    for read, rows in [(uci_housing.train(), RECORDED["train"]), (uci_housing.test(), RECORDED["test"])]:
        samples = list(read())
        assert len(samples) == len(rows)
        for (features, price), row in zip(samples, rows, strict=True):
            assert features.dtype == price.dtype == np.float64
            assert features.shape == (13,) and price.shape == (1,)
            assert np.array_equal(np.append(features, price), row)
    assert np.array_equal(uci_housing.UCI_TRAIN_DATA, RECORDED["train"])
    assert np.array_equal(uci_housing.UCI_TEST_DATA, RECORDED["test"])
    assert len(uci_housing.feature_names) == 13


def test_the_sets_are_read_once(small):
    uci_housing.train()
    small.unlink()
    assert len(list(uci_housing.test()())) == 3


def test_predict_reader_is_the_first_test_district(small):
    (features,) = uci_housing.predict_reader()
    assert np.array_equal(features, RECORDED["test"][0, :-1])


def test_a_sample_changed_in_place_does_not_change_the_next_epoch(small):
    read = uci_housing.train()
    next(read())[0][:] = 7
    assert np.array_equal(next(read())[0], RECORDED["train"][0, :-1])


def test_load_data_takes_other_widths_and_ratios(small):
    uci_housing.load_data(small, feature_num=7, ratio=0.5)
    rows = RECORDED["data"].reshape(22, 7)
    scaled = (rows - rows.mean(axis=0)) / (rows.max(axis=0) - rows.min(axis=0))
    scaled[:, -1] = rows[:, -1]
    np.testing.assert_allclose(uci_housing.UCI_TRAIN_DATA, scaled[:11], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(uci_housing.UCI_TEST_DATA, scaled[11:], rtol=1e-12, atol=1e-14)


def test_fetch_takes_the_file_that_is_there(small):
    uci_housing.fetch()
    assert uci_housing.UCI_TRAIN_DATA is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"<html>no such file</html>", "is not a text of numbers"),
        (b"", "holds 0 numbers"),
        (b"1 2 3 4 5 6 7 8 9 10 11 12 13 14\n1 2 3 4", "holds 18 numbers, not rows of 14"),
    ],
)
def test_a_foreign_or_truncated_file_is_told(small, content, text):
    small.write_bytes(content)
    with pytest.warns(UserWarning, match="housing.data has MD5"), pytest.raises(FileFormatError, match=text) as caught:
        uci_housing.train()
    assert str(small) in str(caught.value) and "506 rows of 14 numbers" in str(caught.value)


def digest(read):
    features, prices = (np.stack(column) for column in zip(*read(), strict=True))
    return len(features), hashlib.sha256(features.tobytes()).hexdigest(), hashlib.sha256(prices.tobytes()).hexdigest()


@pytest.mark.data("uci_housing")
def test_the_real_data_are_what_paddle_reads(real_data):
    """Checksums of the float64 features and prices that PaddlePaddle 1.8.5 yields, in its order."""
    assert digest(uci_housing.train()) == (
        404,
        "4d32406d253062aebe06382bdaec7f9e35c8ac216337d03ae0ee6b6887259d7d",
        "3b9e5461a41bb996b59eb882badda94a84fed55842e1b7c960568f8f63ad3b75",
    )
    assert digest(uci_housing.test()) == (
        102,
        "a2c44af00c21e63770bcafe8355b43344e3bd2ef77095a5b4ff07283ec4dff53",
        "9d4ea9adcbe0aeabcdc8f4cc9fab49d72f2a575f8c4c1acadf3157150bd8bc0d",
    )
