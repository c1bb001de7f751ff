"""A seeded program starts from Paddle's parameters and follows its loss curve."""

import numpy as np

import paddle_lite.fluid as fluid

from .network import RECORDED, run


def test_a_seeded_program_follows_paddles_loss_curve():
    losses, before, after = run(fluid)
    with np.load(RECORDED) as recorded:
        for name, value in before.items():
            np.testing.assert_array_equal(value, recorded[f"before/{name}"], err_msg=name)
        np.testing.assert_allclose(losses, recorded["losses"], rtol=2e-4)
        for name, value in after.items():
            np.testing.assert_allclose(value, recorded[f"after/{name}"], rtol=2e-2, atol=2e-4, err_msg=name)
        assert sorted(k for k in recorded.files if k.startswith("before/")) == sorted(f"before/{k}" for k in before)
