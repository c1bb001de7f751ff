"""Random calls of products, triangles and running sums."""

from tests.ops.row import Sample


def two(d, x, y, dtype=None):
    dtype = dtype or d.one("float32", "float64", "int32", "int64")
    return {"X": d.array(x, dtype), "Y": d.array(y, dtype)}


def reals(d):
    return d.one("float32", "float64")


def bmm(d):
    b, n, k, m = (d.int(1, 5) for _ in range(4))
    return Sample(two(d, (b, n, k), (b, k, m), reals(d)))


def dot(d):
    s = d.shape(1, 2, 6)
    return Sample(two(d, s, s))


def kron(d):
    return Sample(two(d, d.shape(1, 3, 3), d.shape(1, 3, 3)))


def cross(d):
    s = list(d.shape())
    axis = d.int(0, len(s) - 1)
    s[axis] = 3
    return Sample(two(d, s, s), d.one({}, {"dim": axis}, {"dim": axis - len(s)}))


def addmm(d):
    (n, k, m), dtype = (d.int(1, 5) for _ in range(3)), reals(d)
    inputs = {"Input": d.floats((d.one(1, n), d.one(1, m)), dtype=dtype), **two(d, (n, k), (k, m), dtype)}
    return Sample(inputs, {"Alpha": d.number(-2, 2), "Beta": d.number(-2, 2)})


def bilinear_tensor_product(d):
    (n, m, p, size), dtype = (d.int(1, 5) for _ in range(4)), reals(d)
    inputs = {"X": d.floats((n, m), dtype=dtype), "Y": d.floats((n, p), dtype=dtype)}
    inputs["Weight"] = d.floats((size, m, p), dtype=dtype)
    if d.int(0, 1):
        inputs["Bias"] = d.floats((1, size), dtype=dtype)
    return Sample(inputs)


def trace(d):
    s = d.shape(2)
    a, b = d.order(len(s))[:2]
    inside = d.int(1 - s[min(a, b)], s[max(a, b)] - 1)  # beyond the matrix Paddle gives what stands in the memory
    attrs = {"dim1": a - len(s) * d.int(0, 1), "dim2": b, "offset": inside}
    return Sample({"Input": d.array(s)}, attrs)


def tril_triu(d):
    return Sample({"X": d.array(d.shape(2))}, {"diagonal": d.int(-3, 3), "lower": d.one(True, False)})


def cumsum(d):
    s = d.shape()
    axis = d.int(-1, len(s) - 1)
    return Sample({"X": d.array(s)}, {"axis": axis, "exclusive": d.one(True, False), "reverse": d.one(True, False)})


LATER = ("cholesky", "inverse", "mv")  # PaddlePaddle 1.8.5 has no such operators
CALLS = {f.__name__: f for f in (bmm, dot, kron, cross, addmm, bilinear_tensor_product, trace, tril_triu, cumsum)}
