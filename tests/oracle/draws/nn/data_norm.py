"""Random calls of normalisation by learned statistics."""

from tests.ops.row import Sample


def data_norm(d):
    """Slots of one size: real Paddle reads on behind the columns where the last slot is smaller."""
    slot, dtype = d.int(1, 3), d.one("float32", "float64")
    columns = slot * d.int(1, 3)
    x = d.floats((d.int(1, 6), columns), dtype=dtype)
    x *= d.bits(x.shape) if d.int(0, 1) else 1
    inputs = {"X": x.astype(dtype)}
    for name, low in (("BatchSize", 5), ("BatchSum", -9), ("BatchSquareSum", 5)):
        inputs[name] = d.floats((columns,), low, 50, dtype)
    attrs = {"epsilon": d.one(1e-5, 1e-4), "slot_dim": d.one(-1, -1, slot)}
    if d.int(0, 1):
        attrs["enable_scale_and_shift"] = True
        inputs.update({name: d.floats((columns,), dtype=dtype) for name in ("scale_w", "bias")})
    return Sample(inputs, attrs, outputs=("Y", "Means", "Scales"), lods=d.maybe_lod("X", len(x)))


CALLS = {"data_norm": data_norm}
