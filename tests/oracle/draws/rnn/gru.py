"""Random calls of gated recurrent units over ragged batches.

Gates are sigmoids: with others the state grows from step to step until all precision is lost. The rows have the others.
"""

from tests.ops.row import Sample
from tests.oracle.draws.rnn.lstm import activations, ragged

TOLERANCE = (5e-5, 1e-5)  # sums over many steps


def gru(d):
    size, dtype = d.one(1, 2, 3, 5, 8, 9, 17), d.one("float32", "float64")
    offsets, x = ragged(d, 3, size)
    inputs = {"Input": x, "Weight": d.floats((size, 3 * size), -0.5, 0.5)}
    if d.int(0, 2):
        inputs["Bias"] = d.floats((1, 3 * size), -1.0, 1.0)
    if d.int(0, 2) == 0:
        inputs["H0"] = d.floats((len(offsets) - 1, size), -1.0, 1.0)
    inputs = {slot: array.astype(dtype) for slot, array in inputs.items()}
    attrs = {"is_reverse": bool(d.int(0, 1)), "origin_mode": bool(d.int(0, 1))}
    attrs.update(activations(d, "activation"))
    return Sample(inputs, attrs, outputs=("Hidden", "BatchResetHiddenPrev"), lods={"Input": [offsets]})


CALLS = {"gru": gru}
