"""Elementwise functions on an array in the cache, for 1,000 elements: loops of our vector math, PyTorch, and NumPy."""

from benchmarks.side import Work, each, on

SIZE = 16384
RANGES = {
    "acos": (-1, 1), "asin": (-1, 1), "atan": (-4, 4), "cos": (-8, 8), "cosh": (-8, 8), "erf": (-3, 3), "exp": (-8, 8),
    "expm1": (-2, 2), "log": (0.01, 9), "log1p": (-0.9, 9), "pow": (0.01, 9), "sigmoid": (-8, 8), "sin": (-8, 8),
    "sinh": (-8, 8), "sqrt": (0, 9), "tanh": (-4, 4),
}  # fmt: skip
NUMPY = {"acos": "arccos", "asin": "arcsin", "atan": "arctan", "pow": "power"}
WITHOUT = ("erf", "sigmoid")  # functions that NumPy does not have
CASES = [(name, dtype) for name in RANGES for dtype in ("float32", "float64")]
LOOP = "def loop({0}, out):\n    for i in range(out.size):\n        out[i] = function({1})\n"


def operands(name, dtype):
    """Return the arguments, and the array for the result."""
    import numpy as np

    rng = np.random.RandomState(0)
    arrays = [rng.uniform(*RANGES[name], size=SIZE)] + [rng.uniform(-3, 3, SIZE)] * (name == "pow")
    return [array.astype(dtype) for array in arrays], np.empty(SIZE, dtype)


def work(function, arrays, out):
    """Return work that calls a function which writes its result into its last argument."""

    def check():
        function(*arrays, out)
        return [out.copy()]

    return Work(lambda: function(*arrays, out), check, SIZE / 1000)


@on("eager", "torch")
@each(*CASES)
def time_loop(side, name, dtype):
    """{0}, {1}, 1,000 elements"""
    arrays, out = operands(name, dtype)
    if side.framework == "torch":
        import torch

        function, shared = getattr(torch, name), torch.from_numpy(out)
        arrays = [torch.from_numpy(array) for array in arrays]
        return work(lambda *args: function(*args[:-1], out=shared), arrays, out)
    import numpy as np

    from paddle_lite.kernels.cpu.vecmath import FUNCTIONS
    from paddle_lite.kernels.numba_jit import compile_source

    source = LOOP.format("x, y", "x[i], y[i]") if name == "pow" else LOOP.format("x", "x[i]")
    return work(compile_source("loop", source, {"function": FUNCTIONS.get(name, np.sqrt)}), arrays, out)


@on("eager")
@each(*[case for case in CASES if case[0] not in WITHOUT])
def time_numpy(side, name, dtype):
    """{0}, {1}, 1,000 elements, by NumPy"""
    import numpy as np

    function = getattr(np, NUMPY.get(name, name))
    return work(lambda *args: function(*args[:-1], out=args[-1]), *operands(name, dtype))
