"""Random calls of operators on tables of pairs of sequences."""

from tests.ops.row import Sample
from tests.oracle.draws.sequence.sequence import offsets


def tables(d, channels):
    """(rows, columns, the LoDs) of one to three tables; none is empty."""
    count = d.int(1, 3)
    rows, columns = d.sizes(count, 1, 4), d.sizes(count, 1, 5)
    sizes = [channels * r * c for r, c in zip(rows, columns)]
    return {name: [offsets(each)] for name, each in (("X", sizes), ("ROW", rows), ("COLUMN", columns))}


def match_matrix_tensor(d):
    """Rows of X and Y are equally long: where they are not Paddle's gradients are wrong."""
    count, width, dim_t = d.int(1, 3), d.int(1, 4), d.int(1, 3)
    x, y = d.sizes(count, 1, 4), d.sizes(count, 1, 4)
    inputs = {"X": d.floats((sum(x), width)), "Y": d.floats((sum(y), width)), "W": d.floats((width, dim_t, width))}
    return Sample(inputs, {"dim_t": dim_t}, lods={"X": [offsets(x)], "Y": [offsets(y)]})


def var_conv_2d(d):
    channels, out, kernel, stride = d.int(1, 3), d.int(1, 3), d.sizes(2, 1, 4), d.sizes(2, 1, 3)
    lods = tables(d, channels)
    inputs = {name: d.floats((lods[name][0][-1], 1)) for name in lods}
    inputs["W"] = d.floats((out, channels * kernel[0] * kernel[1]))
    attrs = {"InputChannel": channels, "OutputChannel": out, "KernelH": kernel[0], "KernelW": kernel[1],
             "StrideH": stride[0], "StrideW": stride[1]}  # fmt: skip
    return Sample(inputs, attrs, lods=lods, grads=("X", "W"))


def sequence_topk_avg_pooling(d):
    channels = d.int(1, 3)
    lods = tables(d, channels)
    inputs = {name: d.apart((lods[name][0][-1], 1)) for name in lods}
    attrs = {"topks": sorted(n + 1 for n in d.some(5)), "channel_num": channels}
    return Sample(inputs, attrs, lods=lods, grads=("X",))


CALLS = {
    "match_matrix_tensor": match_matrix_tensor, "var_conv_2d": var_conv_2d,
    "sequence_topk_avg_pooling": sequence_topk_avg_pooling,
}  # fmt: skip
TOLERANCE = (1e-4, 2e-5)
