"""Whole networks train the same with all passes, and with each of them left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from tests.jit.models_of import ALL as DECLARED
from tests.jit.test_models import made, same, trained, values
from tests.static import model_cases
from tests.static.passes import passes
from tests.static.plan.running import EACH_LEFT_OUT, each_way

SMALL = ("line", "words")
"""Models that are quick to run; of the others each leaves out three passes, other ones than the next."""


def turns(place: int, name: str) -> tuple[str, ...]:
    others = EACH_LEFT_OUT[1:]
    return others if name in SMALL else tuple(others[(3 * place + k) % len(others)] for k in range(3))


@pytest.mark.parametrize("name", model_cases.MODELS)
def test_static_models(name: str) -> None:
    def losses(way: str) -> list[float]:
        with passes(way, 0):
            return model_cases.trained(fluid, model_cases.MODELS[name], steps=3)[2]

    expected = losses("none")
    for way, found in each_way(("all", *turns(list(model_cases.MODELS).index(name), name)), losses):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6, err_msg=way)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", ["words", "pictures", "transformer"])
def test_static_models_compiled(name: str) -> None:
    """Their kernels as machine code."""
    found = []
    for way in ("none", "all"):
        with passes(way, 0):
            found.append(model_cases.trained(fluid, model_cases.MODELS[name], steps=3)[2])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


@pytest.mark.parametrize("model_class", DECLARED, ids=lambda m: m.__name__)
def test_declared_models(model_class: Any) -> None:
    """The first batch comes again, since what runs first is checked and goes through no passes.

    By plain steps: Adam makes steps of a size of gradients that are nothing but rounding.
    """
    with fluid.dygraph.guard():
        start = values(made(model_class))
        found = []
        for way in ("none", "all"):
            with passes(way, 0):
                model, numbers = made(model_class, start), np.random.RandomState(3)
                model.optimizer = lambda parameters: fluid.optimizer.SGD(0.05, parameter_list=parameters)
                first = model.batch(numbers)
                found.append(trained(model, [first, first, first]))
    for step, (plain, fused) in enumerate(zip(*found, strict=True)):
        for a, b in zip(fused[0], plain[0], strict=True):
            same(a, b, f"result in step {step}", atol=model.atol)
        for a, b in zip(fused[1:], plain[1:], strict=True):
            for name in b:
                same(a[name], b[name], f"{name} in step {step}", atol=model.tolerance(name))
