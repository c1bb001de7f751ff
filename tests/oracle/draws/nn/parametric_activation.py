"""Random calls of the activations with parameters."""

from tests.ops.row import Sample

LIMITS = {
    "relu6": {"threshold": (0.5, 6.0)},
    "brelu": {"t_min": (-3.0, 0.0), "t_max": (0.1, 4.0)},
    "hard_sigmoid": {"slope": (0.1, 1.0), "offset": (0.0, 1.0)},
    "soft_relu": {"threshold": (12.0, 40.0)},
    "elu": {"alpha": (0.0, 2.0)},
    "selu": {"alpha": (0.0, 2.0), "scale": (0.5, 2.0)},
    "swish": {"beta": (-1.0, 3.0)},
    "stanh": {"scale_a": (0.1, 2.0), "scale_b": (0.1, 2.0)},
    "mish": {"threshold": (16.0, 30.0)},
}


def floats(d, shape, low=-8.0, high=8.0):
    return d.floats(shape, low, high, d.one("float32", "float64"))


def activation(attrs):
    def call(d):
        return Sample({"X": floats(d, d.shape())}, {k: d.number(*attrs[k]) for k in sorted(attrs)})

    return call


def hard_swish(d):
    most = d.number(1.0, 6.0)
    return Sample({"X": floats(d, d.shape())}, {"threshold": most, "scale": most, "offset": d.number(0.0, 3.0)})


def prelu(d):
    s, mode = d.shape(2), d.one("all", "channel", "element")
    x = floats(d, s)
    slopes = {"all": (1,), "channel": s[1:2], "element": (1,) + s[1:]}[mode]
    return Sample({"X": x, "Alpha": d.floats(slopes, dtype=x.dtype.name)}, {"mode": mode})


def maxout(d):
    groups, axis, s = d.int(2, 4), d.one(1, 3), list(d.shape(4))
    s[axis] *= groups
    return Sample({"X": floats(d, s)}, {"groups": groups, "axis": axis})


CALLS = {name: activation(attrs) for name, attrs in LIMITS.items()}
CALLS.update(hard_swish=hard_swish, prelu=prelu, maxout=maxout)
