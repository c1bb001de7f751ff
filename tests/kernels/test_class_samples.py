"""Classes drawn for nce: the generator of the C++ standard, the distributions, seeds."""

import numpy as np
import pytest

from paddle_lite.kernels.cpu.loss.class_samples import CUSTOM, LOG_UNIFORM, UNIFORM, Mersenne64, draw_classes
from paddle_lite.kernels.cpu.random import random

ALIAS, KEEP = [1, 3, -1, 2], [0.5, 0.75, 1.0, 0.25]
SHARES = {
    UNIFORM: np.full(4, 0.25),
    LOG_UNIFORM: np.diff(np.log([1, 2, 3, 4]) / np.log(4), append=1.0),  # the last class is never drawn, as in Paddle
    CUSTOM: np.array([0.5, 0.75 + 0.5, 1 + 0.75, 0.25 + 0.25]) / 4,
}


def test_the_ten_thousandth_number_is_that_of_the_standard():
    engine = Mersenne64(5489)
    assert int(engine.draw(10000)[-1]) == 9981545732273789042  # ISO C++, [rand.predef]
    whole, parts = Mersenne64(7), Mersenne64(7)
    np.testing.assert_array_equal(whole.draw(700), np.concatenate([parts.draw(n) for n in (0, 1, 311, 312, 76)]))


@pytest.mark.parametrize("sampler", [UNIFORM, LOG_UNIFORM, CUSTOM])
def test_each_class_has_its_share(sampler):
    random.manual_seed(1)
    for seed in (0, 5):
        classes = draw_classes(sampler, 20000, 4, seed, ALIAS, KEEP)
        shares = np.bincount(classes, minlength=4) / classes.size
        np.testing.assert_allclose(shares, SHARES[sampler], atol=0.015)


@pytest.mark.parametrize("sampler", [UNIFORM, LOG_UNIFORM, CUSTOM])
def test_a_seed_repeats_its_classes_and_no_seed_does_not(sampler):
    def draw(seed):
        return draw_classes(sampler, 50, 4, seed, ALIAS, KEEP).tolist()

    assert draw(3) == draw(3) != draw(4)
    assert draw(0) != draw(0)
    random.manual_seed(9)
    first = draw(0)
    random.manual_seed(9)
    assert draw(0) == first
