"""What an operator's tests are generated from: one Row an operator, plain data, readable by Python 3.7 (the recorder)."""

import hashlib
import json
import zlib

import numpy as np


class Sample:
    """One call of an operator.

    inputs: slot name -> ndarray or Sparse (or a list of them for a slot that takes several).
    attrs: attribute name -> value; what is not given has its default.
    outputs: names of the outputs to compare, where not all of them are.
    grads: slots whose gradients are checked; None: every differentiable floating input, () for none.
    excluded: why no number of real Paddle stands beside this sample ("" where one does).
    lods: slot name -> LoD as offsets.
    counts: slot name -> how many arrays an output that is a list has ({"Out": 3}).
    dynamic: the shape of the result depends on values, or its rank on sizes: inference may leave that open.
    marker: the result is [[-1]], which says that there is nothing, and which inference does not foresee.
    note: what the sample is about, shown when it fails.
    """

    def __init__(
        self, inputs, attrs=None, outputs=None, grads=None, excluded="", lods=None, counts=None, dynamic=False,
        marker=False, note="",
    ):  # fmt: skip
        self.inputs = inputs
        self.attrs = attrs or {}
        self.outputs = outputs
        self.grads = grads
        self.excluded = excluded
        self.lods = lods or {}
        self.counts = counts or {}
        self.dynamic = dynamic
        self.marker = marker
        self.note = note

    def arrays(self):
        """Every input array in a fixed order."""
        each = [self.inputs[name] for name in sorted(self.inputs)]
        flat = [a for value in each for a in (value if isinstance(value, (list, tuple)) else [value]) if a is not None]
        return [part for a in flat for part in ((a.rows, a.values) if isinstance(a, Sparse) else (a,))]

    def fingerprint(self):
        """What a recording is known by: all but the values of floating inputs, which may differ in the last bit."""
        inputs = {}
        for name, value in self.inputs.items():
            many = isinstance(value, (list, tuple))
            inputs[name] = [many, [None if a is None else _structure(a) for a in (value if many else [value])]]
        facts = [inputs, self.attrs, self.lods, self.counts]
        return hashlib.sha1(json.dumps(facts, sort_keys=True, default=_plain).encode()).hexdigest()[:12]

    def sums(self):
        """Two weighted sums of each floating input: they stand for its values in a recording."""
        totals = []
        for array in self.arrays():
            if array.dtype.kind == "f":
                values = np.nan_to_num(array.astype("float64").ravel(), nan=1234.5, posinf=2345.6, neginf=-3456.7)
                place = np.arange(values.size)
                totals += [float(np.sum(values * np.cos(place))), float(np.sum(values * np.sin(place + 1.0)))]
        return np.array(totals)


class Sparse:
    """A sparse gradient as an input: `values[i]` belongs to row `rows[i]` of `height` rows."""

    def __init__(self, rows, values, height):
        self.rows = np.asarray(rows, "int64")
        self.values = values
        self.height = height


def _structure(array):
    if isinstance(array, Sparse):
        return [array.height, _structure(array.rows), _structure(array.values)]
    exact = [] if array.dtype.kind == "f" else array.ravel().tolist()
    return [list(array.shape), array.dtype.name, exact]


def _plain(value):
    """NumPy's numbers and arrays as json takes them."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else repr(value)


class Bad:
    """A call that must raise `error` (the name of a class in paddle_lite.core.errors) with `match` in its text.

    lods: slot name -> LoD as offsets, of a list slot a list of them; they need not fit the arrays.
    """

    def __init__(self, inputs, attrs, error, match, lods=None):
        self.inputs = inputs
        self.attrs = attrs or {}
        self.error = error
        self.match = match
        self.lods = lods or {}


class Row:
    """The tests of one operator.

    op: its type. samples: calls that work. errors: calls that must fail.
    tolerance: (rtol, atol) for comparisons with recorded numbers, float32.
    random: the outputs are random: compare with recorded numbers only where the sample fixes a seed.
    double: whether the gradient of the gradient is declared and must be checked.
    view: the result may share memory with an input (operators that only rearrange).
    no_grad_reason: why an operator whose prototype has a gradient has none here.
    no_derivative: why its gradient is none of its derivatives, but something that is only compared with Paddle's.
    own: for an operator that Paddle does not have: `f(*inputs, **attrs)` in NumPy, which gives the outputs that stand in for
        Paddle's numbers, an array, or a tuple in the order of the slots. Inputs that are absent are None.
    packed: a float32 input holds other data than numbers, which float64 cannot hold in the same way.
    """

    def __init__(
        self, op, samples, errors=(), tolerance=(1e-5, 1e-6), random=False, double=False, view=False, no_grad_reason="",
        no_derivative="", own=None, packed=False,
    ):  # fmt: skip
        self.op = op
        self.samples = samples
        self.errors = list(errors)
        self.tolerance = tolerance
        self.random = random
        self.double = double
        self.view = view
        self.no_grad_reason = no_grad_reason
        self.no_derivative = no_derivative
        self.own = own
        self.packed = packed


_DRAWS = np.random.RandomState()  # begun anew by each call of `draw`


def draw(*shape, low=-1.0, high=1.0, dtype="float32", seed=None):
    """Numbers between low and high, the same in every run; for kinks choose values apart from them with `away`."""
    key = zlib.crc32(repr((shape, low, high, dtype, seed)).encode())
    _DRAWS.seed(key)
    if np.dtype(dtype).kind in "iu":
        return _DRAWS.randint(int(low), int(high) + 1, shape).astype(dtype)
    if dtype == "bool":
        return _DRAWS.rand(*shape) < 0.5
    return _DRAWS.uniform(low, high, shape).astype(dtype)


def away(array, *points, margin=0.05):
    """The array with every value that lies closer than `margin` to one of the points moved past it."""
    for p in points:
        near = np.abs(array - p) < margin
        array = np.where(near, p + np.where(array >= p, margin, -margin) * 1.5, array).astype(array.dtype)
    return array
