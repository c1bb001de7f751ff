"""Random calls of in-place batch normalisation."""

from tests.ops.row import Sample
from tests.oracle.windows import image

TOLERANCE = (5e-5, 2e-5)


def inplace_abn(d):
    """No gradients: real Paddle's work in place, in Programs that fluid.gradients does not make."""
    layout, dtype, channels = d.one("NCHW", "NHWC"), d.one("float32", "float64"), d.int(1, 4)
    x = d.floats(image(layout, d.int(2, 4), channels, d.sizes(2, 1, 4)), dtype=dtype)
    inputs = {"X": x}
    for name, low in (("Scale", -2), ("Bias", -2), ("Mean", -1), ("Variance", 0.5)):
        inputs[name] = d.floats((channels,), low, 2, dtype)
    attrs = {"data_layout": layout, "momentum": d.number(0, 1), "epsilon": d.one(1e-5, 1e-4), "alpha": d.number(0.1, 2)}
    attrs["activation"] = d.one("", "identity", "leaky_relu", "elu")
    fixed = d.one({}, {}, {"is_test": True}, {"use_global_stats": True})
    outputs = ("Y", "MeanOut", "VarianceOut") + (() if fixed else ("SavedMean", "SavedVariance"))
    return Sample(inputs, dict(attrs, **fixed), outputs=outputs, grads=())


CALLS = {"inplace_abn": inplace_abn}
