"""Convolutions whose windows are deformed."""

from tests.ops.row import Bad, Row, Sample, away, draw

MIXED = "Paddle mixes up the images of a step"
NOTHING = "Paddle computes nothing where there are fewer images than a step has"
INTEGERS = range(-3, 4)


def given(n=2, c=2, size=(4, 4), window=(2, 2), filters=4, groups=1, deformable=1, mask=True, dtype="float32", **place):
    strides, paddings, dilations = (
        place.get(k, [d, d]) for k, d in (("strides", 1), ("paddings", 0), ("dilations", 1))
    )
    out = [(m + 2 * p - d * (k - 1) - 1) // s + 1
           for m, k, s, p, d in zip(size, window, strides, paddings, dilations)]  # fmt: skip
    points = deformable * window[0] * window[1]
    offset = away(draw(n, 2 * points, *out, low=-1.5, high=1.5, dtype=dtype), *INTEGERS)
    inputs = {
        "Input": draw(n, c, *size, dtype=dtype),
        "Offset": offset,
        "Filter": draw(filters, c // groups, *window, dtype=dtype, seed=3),
    }
    if mask:
        inputs["Mask"] = draw(n, points, *out, low=0, high=1, dtype=dtype, seed=4)
    return inputs


def sample(excluded="", step=1, groups=1, deformable=1, **more):
    place = {k: more[k] for k in ("strides", "paddings", "dilations") if k in more}
    attrs = dict(place, groups=groups, deformable_groups=deformable, im2col_step=step)
    return Sample(given(groups=groups, deformable=deformable, **more), attrs, excluded=excluded)


APART = {"size": (5, 6), "strides": [2, 1], "paddings": [1, 2], "dilations": [1, 2]}


def samples(mask):
    found = [
        sample(mask=mask),
        sample(mask=mask, **APART),
        sample(mask=mask, groups=2),
        sample(mask=mask, deformable=2),
        sample(mask=mask, groups=2, deformable=2, c=4),
        sample(mask=mask, n=1),
        sample(mask=mask, n=1, excluded=NOTHING, step=64),
        sample(mask=mask, n=1, window=(1, 3), filters=1),
        sample(mask=mask, excluded=MIXED, step=2),
        sample(mask=mask, n=3, c=4, size=(7, 8), window=(3, 3), paddings=[1, 1]),
    ]
    for one in found:  # far outside of the image, and on its points
        one.inputs["Offset"][0, 0, 0, 0] = -9.0
    return found


def whole(mask):
    """Offsets of whole numbers, where the image has kinks: Paddle's gradient looks down and to the right."""
    one = sample(mask=mask)
    one.inputs["Offset"] = one.inputs["Offset"].round()
    return Sample(one.inputs, one.attrs, grads=("Filter",))


def errors(mask):
    good = given(mask=mask)
    found = [
        Bad(dict(good, Offset=draw(2, 7, 3, 3)), {}, "ShapeError", "Input(Offset)"),
        Bad(dict(good, Offset=draw(2, 8, 3, 2)), {}, "ShapeError", "Input(Offset)"),
        Bad(good, {"groups": 2}, "ShapeError", "Input(Input)"),
        Bad(good, {"groups": 0}, "ShapeError", "groups"),
        Bad(given(mask=mask, filters=3, deformable=2), {"deformable_groups": 2}, "ShapeError", "deformable_groups"),
        Bad(good, {"strides": [1]}, "ArgumentValueError", "strides"),
        Bad(good, {"paddings": [-1, 0]}, "ArgumentValueError", "paddings"),
        Bad(dict(good, Filter=draw(4, 2, 5, 2)), {}, "ShapeError", "room"),
        Bad(dict(good, Offset=good["Offset"].astype("float64")), {}, "DtypeError", "Input(Offset)"),
    ]
    return [*found, Bad(dict(good, Mask=draw(2, 3, 3, 3)), {}, "ShapeError", "Input(Mask)")] if mask else found


ROWS = [
    Row("deformable_conv", [*samples(True), whole(True), sample(dtype="float64")], errors(True)),
    Row("deformable_conv_v1", [*samples(False), whole(False)], errors(False)),
]
