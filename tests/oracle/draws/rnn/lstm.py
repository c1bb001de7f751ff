"""Random calls of long short-term memory over ragged batches.

Not drawn, for real Paddle is wrong: gradients where the size of the cell is a multiple of 8; first states beside sequences
that are empty; an activation of the projection that is not that of the cell, or identity.
"""

from tests.ops.row import Sample

TOLERANCE = (5e-5, 1e-5)  # sums over many steps


def lengths(d, empty=True):
    """How many rows each of one to five sequences has: at least one row in all."""
    found = d.sizes(d.int(1, 5), 0 if empty else 1, 9)
    return found if sum(found) else [1]


def ragged(d, gates, of, empty=True):
    """(offsets, Input [rows, gates * of]) of sequences."""
    each = lengths(d, empty)
    offsets = [0]
    for n in each:
        offsets.append(offsets[-1] + n)
    return offsets, d.floats((offsets[-1], gates * of), -1.0, 1.0, "float32")


def activations(d, *names):
    """Mostly those that everybody has. No relu as a gate: it lets numbers grow until all precision is lost."""
    usual = d.int(0, 2) > 0

    def one(name):
        if name == "gate_activation":
            return "sigmoid" if usual else d.one("sigmoid", "tanh")
        return "tanh" if usual else d.one("sigmoid", "tanh", "relu")

    return {name: one(name) for name in names}


def common(d, width=None):
    """A call of lstm with states of this width, by default that of the cell."""
    size, dtype = d.one(1, 2, 3, 5, 7, 9, 17), d.one("float32", "float64")
    width = width or size
    states = d.int(0, 2) == 0
    offsets, x = ragged(d, 4, size, not states)
    peepholes = bool(d.int(0, 1))
    inputs = {
        "Input": x,
        "Weight": d.floats((width, 4 * size), -0.5, 0.5),
        "Bias": d.floats((1, (7 if peepholes else 4) * size), -1.0, 1.0),
    }
    if states:
        inputs["C0"] = d.floats((len(offsets) - 1, size), -1.0, 1.0)
        inputs["H0"] = d.floats((len(offsets) - 1, width), -1.0, 1.0)
    inputs = {slot: array.astype(dtype) for slot, array in inputs.items()}
    attrs = {"use_peepholes": peepholes, "is_reverse": bool(d.int(0, 1))}
    attrs.update(activations(d, "gate_activation", "cell_activation", "candidate_activation"))
    return size, dtype, inputs, attrs, {"Input": [offsets]}


def lstm(d):
    _, _, inputs, attrs, lods = common(d)
    return Sample(inputs, attrs, outputs=("Hidden", "Cell", "BatchCellPreAct"), lods=lods)


def lstmp(d):
    width = d.one(1, 2, 3, 6, 11)
    size, dtype, inputs, attrs, lods = common(d, width)
    inputs["ProjWeight"] = d.floats((size, width), -1.0, 1.0, dtype)
    attrs["proj_activation"] = d.one(attrs["cell_activation"], "identity")
    if d.int(0, 2) == 0:
        attrs["cell_clip"] = d.number(0.2, 1.0)
    if d.int(0, 2) == 0:
        attrs["proj_clip"] = d.number(0.1, 0.5)
    return Sample(inputs, attrs, outputs=("Projection", "Cell", "BatchCellPreAct", "BatchHidden"), lods=lods)


CALLS = {"lstm": lstm, "lstmp": lstmp}
