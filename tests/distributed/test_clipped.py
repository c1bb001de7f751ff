"""A job whose trainers clip their gradients, one of them that of a table on the servers, has the losses of PaddlePaddle 1.8.5."""

from __future__ import annotations

import json

import numpy as np

from tests import children

from . import clipped_job
from .test_job import ports


def test_clipped_gradients_train_as_in_1_8_5() -> None:
    """Processes: a job of two trainers is one thing, and its numbers are recorded as a whole."""
    [endpoint] = ports(1)
    started = [
        children.start(clipped_job.__file__, role, number, endpoint, joined=True)
        for role, number in (("trainer", 0), ("trainer", 1), ("server", 0))
    ]
    try:
        statuses = [each.wait() for each in started]
    finally:
        for each in started:
            each.kill()
    said = [each.text for each in started]
    assert statuses == [0, 0, 0], said
    found = [json.loads(text.rpartition("LOSSES ")[2].splitlines()[0]) for text in said[:2]]
    np.testing.assert_allclose(found, clipped_job.RECORDED, rtol=2e-6)
