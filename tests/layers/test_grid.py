"""Affine grids and sampling, beside loops over places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.imperative import guard, to_variable
from paddle_lite.layers.vision import grid as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

SIGNATURES = {"affine_grid": "(theta, out_shape, name=None)", "grid_sampler": "(x, grid, name=None)"}
RNG = np.random.RandomState(0)
X, THETA = RNG.rand(2, 3, 4, 5).astype("float32"), RNG.rand(2, 2, 3).astype("float32")
IDENTITY = np.array([[[1, 0, 0], [0, 1, 0]]] * 2, "float32")
with guard():
    x, theta, identity = to_variable(X), to_variable(THETA), to_variable(IDENTITY)


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert getattr(fluid.layers, name) is getattr(functional, name)
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


def test_affine_grid() -> None:
    got = layers.affine_grid(theta, (2, 3, 4, 5))
    for n, i, j in np.ndindex(2, 4, 5):
        place = THETA[n] @ np.array([j / 2 - 1, i * 2 / 3 - 1, 1])
        np.testing.assert_allclose(got.numpy()[n, i, j], place, 1e-5, 1e-6)
    shape = to_variable(np.array([2, 3, 4, 5], "int32"))
    assert (layers.affine_grid(theta, shape).numpy() == got.numpy()).all()


def test_the_grid_of_the_identity_leaves_the_image() -> None:
    got = layers.grid_sampler(x, layers.affine_grid(identity, x.shape))
    np.testing.assert_allclose(got.numpy(), X, 1e-5)


def test_grid_sampler_between_points_and_outside() -> None:
    places = RNG.uniform(-1.6, 1.6, (2, 4, 5, 2)).astype("float32")
    got = layers.grid_sampler(x, to_variable(places)).numpy()
    framed = np.pad(X, ((0, 0), (0, 0), (2, 2), (2, 2)))
    for n, i, j in np.ndindex(2, 4, 5):
        column, row = (places[n, i, j] + 1) * [2, 1.5]
        hats = [np.maximum(1 - np.abs(np.arange(-2, size + 2) - at), 0) for size, at in ((4, row), (5, column))]
        np.testing.assert_allclose(got[n, :, i, j], hats[0] @ framed[n] @ hats[1], 1e-4, 1e-6)


def test_a_place_that_is_no_number_gives_none() -> None:
    places = np.zeros((2, 4, 5, 2), "float32")
    places[0, 0, 0] = np.nan
    got = layers.grid_sampler(x, to_variable(places)).numpy()
    assert np.isnan(got[0, :, 0, 0]).all() and np.isnan(got).sum() == 3


@pytest.mark.parametrize(
    ("error", "name", "args", "text"),
    [
        (ArgumentTypeError, "affine_grid", (THETA, [2, 3, 4, 5]), "theta got ndarray"),
        (ArgumentTypeError, "affine_grid", (theta, [2, 3, 4.0, 5]), "out_shape got list"),
        (ShapeError, "affine_grid", (theta, [2, 3, 4, 1]), "2 or more"),
        (ArgumentTypeError, "grid_sampler", (x, X), "grid got ndarray"),
        (ShapeError, "grid_sampler", (x, x), "[2, 4, 5, 2]"),
    ],
)
def test_bad_input(error: type[Exception], name: str, args: tuple[Any, ...], text: str) -> None:
    with pytest.raises(error) as raised:
        getattr(layers, name)(*args)
    assert name in str(raised.value) and text in str(raised.value)
