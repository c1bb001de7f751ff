"""Convolutions by their definition, tap by tap, and random ones, for the tests of convolution kernels."""

import numpy as np
from hypothesis import strategies as st


def taps(shape, w_shape, strides, pads, dilations):
    """For each filter tap, the slices of the padded image that it meets."""
    padded = (shape[2] + pads[0] + pads[1], shape[3] + pads[2] + pads[3])
    size = [(padded[a] - dilations[a] * (w_shape[2 + a] - 1) - 1) // strides[a] + 1 for a in (0, 1)]
    for i in range(w_shape[2]):
        for j in range(w_shape[3]):
            start = i * dilations[0], j * dilations[1]
            yield i, j, tuple(slice(start[a], start[a] + (size[a] - 1) * strides[a] + 1, strides[a]) for a in (0, 1))


def pad(x, pads):
    return np.pad(x.astype(np.float64), ((0, 0), (0, 0), pads[:2], pads[2:]))


def by_group(array, axis, groups):
    return np.split(array.astype(np.float64), groups, axis)


def reference(x, w, strides, pads, dilations, groups):
    def one(x, w):
        tap = [np.einsum("nchw,kc->nkhw", x[:, :, a, b], w[:, :, i, j]) for i, j, (a, b) in windows]
        return sum(tap)

    windows = list(taps(x.shape, w.shape, strides, pads, dilations))
    return np.concatenate([one(*pair) for pair in zip(by_group(pad(x, pads), 1, groups), by_group(w, 0, groups))], 1)


def reference_input_grad(dy, w, x_shape, strides, pads, dilations, groups):
    result = []
    for d, v in zip(by_group(dy, 1, groups), by_group(w, 0, groups)):
        dx = pad(np.zeros((x_shape[0], x_shape[1] // groups, *x_shape[2:])), pads)
        for i, j, (a, b) in taps(x_shape, w.shape, strides, pads, dilations):
            dx[:, :, a, b] += np.einsum("nkhw,kc->nchw", d, v[:, :, i, j])
        result.append(dx[:, :, pads[0] : pads[0] + x_shape[2], pads[2] : pads[2] + x_shape[3]])
    return np.concatenate(result, 1)


def reference_filter_grad(x, dy, w_shape, strides, pads, dilations, groups):
    result = []
    for v, d in zip(by_group(pad(x, pads), 1, groups), by_group(dy, 1, groups)):
        dw = np.zeros((w_shape[0] // groups, *w_shape[1:]))
        for i, j, (a, b) in taps(x.shape, w_shape, strides, pads, dilations):
            dw[:, :, i, j] = np.einsum("nkhw,nchw->kc", d, v[:, :, a, b])
        result.append(dw)
    return np.concatenate(result, 0)


def arrays(dtype, x_shape, w_shape):
    rng = np.random.default_rng(0)
    return rng.standard_normal(x_shape).astype(dtype), rng.standard_normal(w_shape).astype(dtype)


@st.composite
def cases(draw):
    groups = draw(st.integers(1, 3))
    kernel = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    dilations = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    pads = draw(st.tuples(*[st.integers(0, 3)] * 4))
    least = [max(1, dilations[a] * (kernel[a] - 1) + 1 - pads[2 * a] - pads[2 * a + 1]) for a in (0, 1)]
    size = draw(st.tuples(*[st.integers(least[a], least[a] + 20) for a in (0, 1)]))
    channels, filters = groups * draw(st.integers(1, 4)), groups * draw(st.integers(1, 4))
    x, w = arrays(
        draw(st.sampled_from([np.float32, np.float64])),
        (draw(st.integers(1, 40)), channels, *size),
        (filters, channels // groups, *kernel),
    )
    return x, w, draw(st.tuples(st.integers(1, 3), st.integers(1, 3))), pads, dilations, groups
