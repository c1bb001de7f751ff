"""The embedded digits: the enlargement on images made here, the readers on a stand-in for scikit-learn, and on the real one."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.dataset import digits

shades = st.integers(0, 16).map(lambda level: level / 16)
inks = hnp.arrays(np.float32, st.tuples(st.integers(0, 4), st.just(8), st.just(8)), elements=shades)


@pytest.fixture(autouse=True)
def read_anew():
    digits._digits.cache_clear()
    yield
    digits._digits.cache_clear()


@pytest.fixture
def stand_in(monkeypatch):
    """A scikit-learn with 23 images."""
    rng = np.random.default_rng(0)
    bunch = SimpleNamespace(images=rng.integers(0, 17, (23, 8, 8)).astype(float), target=rng.integers(0, 10, 23))
    package, module = ModuleType("sklearn"), ModuleType("sklearn.datasets")
    module.load_digits = lambda: bunch
    monkeypatch.setitem(sys.modules, "sklearn", package)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", module)
    return bunch


def ink_centre(image):
    ink = image + 1
    rows, columns = np.mgrid[:28, :28]
    return (ink * rows).sum() / ink.sum(), (ink * columns).sum() / ink.sum()


@given(inks)
def test_enlarged_images_have_the_form_of_mnist(ink):
    field = digits.enlarge(ink)
    assert field.shape == (len(ink), 28, 28) and field.dtype == np.float32
    assert np.all((field >= -1) & (field <= 1 + 1e-6))
    for image, small in zip(field, ink, strict=True):
        rows, columns = np.nonzero(image > -1)
        assert np.ptp(rows) < 20 and np.ptp(columns) < 20 if rows.size else small.max() == 0
        assert image.max() <= 2 * small.max() - 1 + 1e-6


@given(st.floats(0, 1, width=32))
def test_an_even_image_stays_even(shade):
    image = digits.enlarge(np.full((1, 8, 8), shade))[0]
    np.testing.assert_allclose(image[4:24, 4:24], 2 * shade - 1, atol=1e-6)
    image[4:24, 4:24] = -1
    assert np.all(image == -1)


def test_interpolation_is_linear_between_the_centres_of_pixels():
    ramp = np.tile((np.arange(8) + 0.5) / 8, (1, 8, 1))
    row = digits.enlarge(ramp)[0, 14]
    start = np.flatnonzero(row > -1)[0]
    inner = slice(start + 1, start + 19)  # beyond the outermost centres the shade is that of the nearest
    np.testing.assert_allclose(row[inner], 2 * (np.arange(1, 19) + 0.5) / 20 - 1, atol=1e-6)


@given(st.integers(1, 6), st.integers(1, 6))
def test_the_centre_of_mass_is_in_the_middle(row, column):
    ink = np.zeros((1, 8, 8))
    ink[0, row - 1 : row + 2, column - 1 : column + 2] = 1
    centre = ink_centre(digits.enlarge(ink)[0])
    reach = [max(0, abs(place - 3.5) * 2.5 - 4) for place in (row, column)]  # what 4 pixels of margin cannot mend
    assert all(abs(value - 13.5) <= 0.5 + rest + 0.3 for value, rest in zip(centre, reach, strict=True))


def test_every_fifth_image_is_a_test_image(stand_in):
    train, test = list(digits.train()()), list(digits.test()())
    labels = stand_in.target.tolist()
    assert [label for _, label in test] == labels[4::5]
    assert [label for _, label in train] == [label for place, label in enumerate(labels) if place % 5 != 4]
    for image, label in train + test:
        assert image.shape == (784,) and image.dtype == np.float32 and type(label) is int
    assert np.array_equal(test[0][0].reshape(28, 28), digits.enlarge(stand_in.images[4:5] / 16)[0])


def test_a_sample_changed_in_place_does_not_change_the_next_epoch(stand_in):
    before = next(digits.train()())[0].copy()
    next(digits.train()())[0][:] = 7
    assert np.array_equal(next(digits.train()())[0], before)


@pytest.mark.parametrize("make", [digits.train, digits.test])
def test_without_scikit_learn_the_error_names_the_extra(monkeypatch, make):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(ImportError, match=r"pip install paddle_lite\[demo\]"):
        make()


def test_the_real_digits_can_be_told_apart():
    """Nearest class mean: the enlarged digits still look like digits, and the labels belong to them."""
    pytest.importorskip("sklearn")
    (train, train_labels), (test, test_labels) = (
        (np.stack([image for image, _ in samples]), np.array([label for _, label in samples]))
        for samples in (list(digits.train()()), list(digits.test()()))
    )
    assert train.shape == (1438, 784) and test.shape == (359, 784)
    means = np.stack([train[train_labels == digit].mean(axis=0) for digit in range(10)])
    guesses = ((test[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    assert (guesses == test_labels).mean() > 0.85
