"""Drawing how windows move over images and volumes. Runs on Python 3.7 too."""


def moving(d, kernel, strides=3, dilations=2):
    """(attributes, smallest size of each dimension): a stride, a padding of one of four forms, and a dilation.

    kernel: the window's sizes.
    dilations: the largest dilation; 0 where the operator has none.
    """
    count = len(kernel)
    attrs = {"strides": d.sizes(count, 1, strides)}
    spread = list(kernel)
    if dilations:
        attrs["dilations"] = d.sizes(count, 1, dilations)
        spread = [(k - 1) * by + 1 for k, by in zip(kernel, attrs["dilations"])]
    form = d.one("none", "even", "uneven", "SAME", "VALID")
    before, after = [0] * count, [0] * count
    if form in ("SAME", "VALID"):
        attrs["padding_algorithm"] = form
    elif form != "none":
        before = [d.int(0, k // 2) for k in kernel]
        after = before if form == "even" else [d.int(0, k // 2) for k in kernel]
        attrs["paddings"] = before if form == "even" else [n for pair in zip(before, after) for n in pair]
    if form == "SAME":
        return attrs, [1] * count
    return attrs, [max(1, s - b - a) for s, b, a in zip(spread, before, after)]


def image(layout, batch, channels, sizes):
    """The shape of an input in a layout."""
    return (batch,) + tuple(sizes) + (channels,) if layout[-1] == "C" else (batch, channels) + tuple(sizes)
