"""Random calls of dropout."""

import numpy as np

from tests.ops.row import Sample, away

RANDOM = True


def dropout(d):
    """With gradients of arrays in training: real Paddle has no others."""
    test = d.int(0, 3) == 0
    s = d.shape(2 if test else 1, 4, 5)
    attrs = {"dropout_prob": d.one(0.0, 1.0, d.number(0, 1), d.number(0, 1)), "is_test": test}
    attrs["dropout_implementation"] = d.one("downgrade_in_infer", "upscale_in_train")
    inputs = {"X": away(d.floats(s, dtype=d.one("float32", "float64")), 0.0)}
    if not test:
        attrs.update(seed=d.int(1, 99), fix_seed=True)
        if d.int(0, 3) == 0:
            inputs["Seed"] = np.array([d.int(1, 99)], "int32")
    lods = d.maybe_lod("X", s[0]) if len(s) > 1 else {}
    return Sample(inputs, attrs, grads=() if test or len(s) == 1 else None, lods=lods)


CALLS = {f.__name__: f for f in (dropout,)}
