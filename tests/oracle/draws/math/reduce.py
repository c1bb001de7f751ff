"""Random calls of reductions over some or all dimensions."""

from tests.ops.row import Sample

CODES = {"int32": 2, "int64": 3, "float32": 5, "float64": 6}


def dimensions(d, rank):
    """Not every dimension by name: for that real Paddle returns what stands in the memory. Gradients of all but
    the reduction of everything with keep_dim, which fails there."""
    attrs = {"keep_dim": d.one(True, False)}
    if rank == 1 or d.int(0, 3) == 0:
        return dict(attrs, reduce_all=True)
    named = d.some(rank)[: rank - 1]
    return dict(attrs, dim=[n - rank * d.int(0, 1) for n in named])


def reduction(d, low, high, make, turned=False):
    """Ranks up to 4: of parts of rank 5 real Paddle returns what stands in the memory.

    turned: whether real Paddle has a gradient where the result has another dtype.
    """
    s = d.shape(1, 4)
    attrs = dimensions(d, len(s))
    dtype = d.one("float32", "float64", "int32", "int64")
    x = make(d, s, dtype, low, high)
    if d.int(0, 5) == 0:
        attrs.update(in_dtype=CODES[dtype], out_dtype=d.one(*CODES.values()))
    no_gradient = attrs.get("reduce_all") and attrs["keep_dim"] and len(s) > 1
    no_gradient = no_gradient or ("out_dtype" in attrs and not turned)
    return Sample({"X": x}, attrs, grads=() if no_gradient else None, lods=d.maybe_lod("X", s[0]))


def numbers(d, shape, dtype, low, high):
    return d.floats(shape, low, high, dtype) if dtype[0] == "f" else d.rng.randint(-3, 4, shape).astype(dtype)


def apart(d, shape, dtype, low, high):
    return d.apart(shape, dtype)


def truths(d):
    s = d.shape(1, 4)
    return Sample({"X": d.rng.rand(*s) < d.one(0.1, 0.5, 0.9)}, dimensions(d, len(s)))


CALLS = {n: lambda d: reduction(d, -3, 3, numbers, turned=True) for n in ("reduce_sum", "reduce_mean")}
CALLS.update({n: lambda d: reduction(d, 0, 0, apart) for n in ("reduce_max", "reduce_min")})
CALLS.update(dict.fromkeys(("reduce_all", "reduce_any"), truths))
CALLS["reduce_prod"] = lambda d: reduction(d, 0.5, 1.5, numbers)
