"""Random calls of functions of one array, element by element, and of softmax."""

from tests.ops.row import Sample


def pointwise(low=-3.0, high=3.0, whole=False, **attrs):
    """A function of arrays with numbers from low to high; `attrs` says from where to where attributes are drawn."""

    def call(d):
        s = d.shape(1, 5)
        s = s if d.int(0, 11) else s[:-1] + (0,)
        dtype = d.one("float32", "float64", *(("int32", "int64") if whole else ()))
        x = d.floats(s, low, high, dtype) if dtype[0] == "f" else d.array(s, dtype)
        given = {name: d.number(*limits) for name, limits in attrs.items() if d.int(0, 2)}
        return Sample({"X": x}, given, lods=d.maybe_lod("X", s[0]) if len(s) > 1 else {})

    return call


def gelu(d):
    return Sample(
        {"X": d.floats(d.shape(1, 5), dtype=d.one("float32", "float64"))}, {"approximate": d.one(True, False)}
    )


def softmax(d):
    s = d.shape(1, 5, 6)
    x = d.floats(s, -9, 9, d.one("float32", "float64"))
    return Sample({"X": x}, {"axis": d.int(-len(s), len(s) - 1)}, lods=d.maybe_lod("X", s[0]))


NAMES = "relu sigmoid logsigmoid tanh tanh_shrink softplus softsign ceil floor round sin cos atan erf sign"

CALLS = {name: pointwise() for name in NAMES.split()}
CALLS.update({name: pointwise(0.1) for name in ("log", "sqrt", "rsqrt")})
CALLS.update({name: pointwise(-0.95, 0.95) for name in ("asin", "acos", "log1p")})
CALLS.update({name: pointwise(whole=True) for name in ("exp", "square", "abs")})
CALLS.update(
    leaky_relu=pointwise(alpha=(0.0, 1.0)),
    softshrink=pointwise(**{"lambda": (0.0, 1.0)}),
    hard_shrink=pointwise(threshold=(0.0, 1.0)),
    thresholded_relu=pointwise(threshold=(-1.0, 1.5)),
    reciprocal=pointwise(0.2),
    gelu=gelu,
    softmax=softmax,
)
