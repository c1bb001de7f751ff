"""Images of any size, and what convolutional networks make of them: windows of odd geometry, channels that are joined and cut."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, Input, NoFit, Value, operator

L = fluid.layers
WEIGHTS = {
    "any_image": 1, "any_conv": 2, "transposed_conv": 1, "any_pool": 2, "channel_bias": 1, "joined_channels": 1,
    "cut_channels": 1, "resized": 1, "margins": 1, "flat_image": 1,
}  # fmt: skip
SIZES = {"small": (3, 5, 7), "wide": (2, 4, 33), "narrow": (8, 17, 1), "point": (5, 1, 1), "large": (1, 19, 18)}
MOST = 2000  # elements of a value for each image: tests run its kernels by Python


def is_image(v: Value) -> bool:
    return v.rank == 4 and v.rows == "batch" and all(0 < n for n in v.shape[1:]) and elements(v.shape[1:]) < MOST


def elements(shape: Any) -> int:
    found = 1
    for n in shape:
        found *= n
    return found


def image_of(b: Builder, c: Choices) -> Value:
    return b.pick(c, lambda v: v.dtype == b.dtype and is_image(v))


def any_image(b: Builder, c: Choices, _: Any) -> None:
    name = c.one(*SIZES)
    b.given(f"{name}_image", Input((-1, *SIZES[name]), b.dtype, "batch"))


def steps_of(c: Choices, most: int) -> dict[str, Any]:
    """Attributes of how windows move."""
    pads = [c.one(0, 0, 1, 2, most) for _ in range(4)]
    return {
        "strides": [c.one(1, 1, 2, 3), c.one(1, 1, 2, 3)],
        "paddings": pads if c.flag() else pads[:2],
        "dilations": [c.one(1, 1, 2), c.one(1, 1, 5)],
    }


def around(attrs: dict[str, Any]) -> list[int]:
    """The paddings of both sides of each dimension, added."""
    pads = attrs["paddings"]
    return [2 * p for p in pads] if len(pads) == 2 else [pads[0] + pads[1], pads[2] + pads[3]]


def any_conv(b: Builder, c: Choices, _: Any) -> None:
    """Each group with channels of its own, one or more; bias and activation follow, or not."""
    x = image_of(b, c)
    channels, kernel, attrs = x.shape[1], [c.one(1, 2, 3, 5), c.one(1, 2, 3, 5)], steps_of(c, 9)
    groups = c.one(1, *[n for n in (2, 3, 4, channels) if channels % n == 0])
    filters = groups * c.one(1, 2, 5)
    spread = [d * (k - 1) + 1 for d, k in zip(attrs["dilations"], kernel)]
    sizes = [(n + p - s) // by + 1 for n, p, s, by in zip(x.shape[2:], around(attrs), spread, attrs["strides"])]
    if min(sizes) < 1 or filters > 40 or filters * elements(sizes) > MOST:
        raise NoFit
    attrs["groups"] = groups
    w = b.parameter(filters, channels // groups, *kernel)
    b.call(f"conv2d {kernel} {attrs}", lambda x, w: operator("conv2d")(x, w, None, None, **attrs), x, w)
    if c.flag():
        channel_bias(b, Choices([0, c.int(0, 9)]), None)


def transposed_conv(b: Builder, c: Choices, _: Any) -> None:
    x = image_of(b, c)
    channels, kernel, attrs = x.shape[1], [c.one(1, 2, 3), c.one(1, 2, 4)], steps_of(c, 3)
    groups = c.one(1, *[n for n in (2, channels) if channels % n == 0])
    filters = c.one(1, 2, 3)
    spread = [d * (k - 1) + 1 for d, k in zip(attrs["dilations"], kernel)]
    sizes = [(n - 1) * by - p + s for n, p, s, by in zip(x.shape[2:], around(attrs), spread, attrs["strides"])]
    if min(sizes) < 1 or filters * groups * elements(sizes) > MOST:
        raise NoFit
    attrs["groups"] = groups
    w = b.parameter(channels, filters, *kernel)
    b.call(f"conv2d_transpose {kernel} {attrs}", lambda x, w: operator("conv2d_transpose")(x, w, None, **attrs), x, w)


def any_pool(b: Builder, c: Choices, _: Any) -> None:
    x = image_of(b, c)
    kind, kernel, attrs = c.one("max", "avg"), [c.one(1, 2, 3, 9), c.one(1, 2, 3, 9)], steps_of(c, 1)
    attrs["paddings"] = [min(p, k - 1) for p, k in zip(attrs["paddings"][:2], kernel)]
    del attrs["dilations"]
    attrs.update(pooling_type=kind, ksize=kernel, ceil_mode=c.flag(), exclusive=c.flag())
    if c.int(0, 4) == 0 and kind == "avg":
        attrs = {"pooling_type": kind, "ksize": [c.int(1, 4), c.int(1, 4)], "adaptive": True}
    elif any(n + 2 * p < k for n, p, k in zip(x.shape[2:], attrs["paddings"], kernel)):
        attrs["global_pooling"] = True
    b.call(f"pool2d {attrs}", lambda x: operator("pool2d")(x, **attrs), x)


def channel_bias(b: Builder, c: Choices, _: Any) -> None:
    """What follows a convolution: a number for each channel, and an activation."""
    x = image_of(b, c)
    how, act = c.one("add", "mul", "sub"), c.one(None, L.relu, L.relu6, L.sigmoid, L.leaky_relu)
    function = {"add": L.elementwise_add, "mul": L.elementwise_mul, "sub": L.elementwise_sub}[how]
    [x] = b.call(f"{how} axis=1", lambda x, y: function(x, y, axis=1), x, b.parameter(x.shape[1]))
    if act is not None:
        b.call(act.__name__, act, x, bends=act is L.sigmoid)


def joined_channels(b: Builder, c: Choices, _: Any) -> None:
    x = image_of(b, c)
    alike = [v for v in b.values if is_image(v) and v.dtype == b.dtype and v.shape[2:] == x.shape[2:]]
    y = c.one(*alike)
    if x.shape[1] + y.shape[1] > 40:
        raise NoFit
    b.call("concat 1", lambda x, y: L.concat([x, y], 1), x, y)


def cut_channels(b: Builder, c: Choices, _: Any) -> None:
    x = image_of(b, c)
    axis = c.int(1, 3)
    at, size = c.int(0, x.shape[axis] - 1), x.shape[axis]
    if c.flag() and size > 1 and at:
        b.call(f"split {axis} {at}", lambda x: L.split(x, [at, size - at], axis), x)
    else:
        b.call(f"slice {axis} {at}", lambda x: L.slice(x, [axis], [at], [size]), x)


def resized(b: Builder, c: Choices, _: Any) -> None:
    x = image_of(b, c)
    size, corners, bilinear = [c.int(1, 9), c.int(1, 9)], c.flag(), c.flag()
    function = L.resize_bilinear if bilinear else L.resize_nearest
    b.call(f"{function.__name__} {size} {corners}", lambda x: function(x, size, align_corners=corners), x)


def margins(b: Builder, c: Choices, _: Any) -> None:
    x = image_of(b, c)
    mode = c.one("constant", "reflect", "edge")
    sides = [c.int(0, min(3, x.shape[2 + k // 2] - 1)) for k in range(4)]
    b.call(f"pad2d {mode} {sides}", lambda x: L.pad2d(x, sides, mode, 0.5), x)


def flat_image(b: Builder, c: Choices, _: Any) -> None:
    """A row for each image, by a product with weights."""
    x = image_of(b, c)
    size = elements(x.shape[1:])
    if size > 3000:
        raise NoFit
    b.call("mul", L.mul, x, b.parameter(size, c.one(3, 4, 8)))
