"""Single convolutions and their gradients, compared with PyTorch's, in the shapes of known networks."""

from benchmarks.side import Work, bar, each, on

# images, channels, height (= width), filters, kernel, stride, padding, groups, number of occurrences in the network
RESNET18 = [
    (1, 3, 224, 64, 7, 2, 3, 1, 1),
    (1, 64, 56, 64, 3, 1, 1, 1, 4),
    (1, 64, 56, 128, 3, 2, 1, 1, 1),
    (1, 64, 56, 128, 1, 2, 0, 1, 1),
    (1, 128, 28, 128, 3, 1, 1, 1, 3),
    (1, 128, 28, 256, 3, 2, 1, 1, 1),
    (1, 128, 28, 256, 1, 2, 0, 1, 1),
    (1, 256, 14, 256, 3, 1, 1, 1, 3),
    (1, 256, 14, 512, 3, 2, 1, 1, 1),
    (1, 256, 14, 512, 1, 2, 0, 1, 1),
    (1, 512, 7, 512, 3, 1, 1, 1, 3),
]
# channels, height, stride, filters of the pointwise convolution that follows, number of occurrences
SEPARABLE = [
    (32, 112, 1, 64, 1), (64, 112, 2, 128, 1), (128, 56, 1, 128, 1), (128, 56, 2, 256, 1), (256, 28, 1, 256, 1),
    (256, 28, 2, 512, 1), (512, 14, 1, 512, 5), (512, 14, 2, 1024, 1), (1024, 7, 1, 1024, 1),
]  # fmt: skip
MOBILENET = [(1, 3, 224, 32, 3, 2, 1, 1, 1)]
for _channels, _size, _stride, _filters, _times in SEPARABLE:
    MOBILENET.append((1, _channels, _size, _channels, 3, _stride, 1, _channels, _times))
    MOBILENET.append((1, _channels, _size // _stride, _filters, 1, 1, 0, 1, _times))
MNIST = [(64, 1, 28, 20, 5, 1, 0, 1, 1), (64, 20, 12, 50, 5, 1, 0, 1, 1)]
TRAINED = [
    (8, 64, 56, 64, 3, 1, 1, 1, 1),
    (16, 128, 28, 128, 3, 1, 1, 1, 1),
    (16, 256, 14, 256, 3, 1, 1, 1, 1),
    (8, 512, 7, 512, 3, 1, 1, 1, 1),
    (8, 64, 56, 128, 3, 2, 1, 1, 1),
    (8, 3, 224, 64, 7, 2, 3, 1, 1),
    (8, 256, 14, 256, 1, 1, 0, 1, 1),
    (8, 128, 56, 128, 3, 1, 1, 128, 1),
    (8, 128, 56, 128, 3, 2, 1, 128, 1),
]
NETWORKS = {"ResNet-18": RESNET18, "MobileNetV1": MOBILENET}
KINDS = ("forward", "input gradient", "filter gradient")


def _title(shape):
    """Return a short title for a shape."""
    n, channels, size, filters, kernel, stride, _, groups, _ = shape
    depthwise = " depthwise" * (groups > 1)
    return f"{n}x{channels}x{size}x{size}, {filters} of {kernel}x{kernel}{depthwise}, stride {stride}"


SHAPES = {_title(shape): shape for shape in RESNET18 + MOBILENET + MNIST + TRAINED}
INFERRED = [_title(shape) for shape in RESNET18 + MOBILENET]
LEARNED = [(_title(shape), kind) for shape in MNIST + TRAINED for kind in KINDS]


def _arrays(shape):
    """Return images, filters, and gradients of the results."""
    import numpy as np

    n, channels, size, filters, kernel, stride, pad, groups, _ = shape
    out = (size + 2 * pad - kernel) // stride + 1
    rng = np.random.RandomState(0)
    sizes = (n, channels, size, size), (filters, channels // groups, kernel, kernel), (n, filters, out, out)
    return [rng.randn(*s).astype("float32") for s in sizes]


def _call(side, shape, kind):
    """Return a function that computes one convolution or gradient."""
    stride, pad, groups = shape[5:8]
    x, w, dy = _arrays(shape)
    if side.framework == "torch":
        import torch

        x, w, dy = (torch.from_numpy(array) for array in (x, w, dy))
        if kind == "forward":
            return lambda: torch.conv2d(x, w, None, stride, pad, 1, groups).numpy()
        place = [stride] * 2, [pad] * 2, [1, 1], False, [0, 0], groups
        wanted = [kind == name for name in KINDS[1:]] + [False]
        at = wanted.index(True)
        return lambda: torch.ops.aten.convolution_backward(dy, x, w, None, *place, wanted)[at].numpy()
    from paddle_lite.kernels.cpu.conv.conv import conv2d, conv2d_filter_grad, conv2d_input_grad

    place = (stride,) * 2, (pad,) * 4, (1, 1), groups
    return {
        "forward": lambda: conv2d(x, w, *place),
        "input gradient": lambda: conv2d_input_grad(dy, w, x.shape, *place),
        "filter gradient": lambda: conv2d_filter_grad(x, dy, w.shape, *place),
    }[kind]


@on("eager", "torch")
@bar("torch", 1.2)
@each(*NETWORKS)
def time_network(side, network):
    """all convolutions of {0}, batch 1"""
    calls = [_call(side, shape, "forward") for shape in NETWORKS[network] for _ in range(shape[-1])]

    def step():
        return [call() for call in calls]

    return Work(step, step)


@on("eager", "torch")
@each(*INFERRED)
def time_inference(side, title):
    """{0}"""
    call = _call(side, SHAPES[title], "forward")
    return Work(call, lambda: [call()])


@on("eager", "torch")
@each(*LEARNED)
def time_training(side, title, kind):
    """{0}, {1}"""
    call = _call(side, SHAPES[title], kind)
    return Work(call, lambda: [call()])
