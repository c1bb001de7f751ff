"""What Fluid code takes from NumPy, and NumPy has dropped since.

Loaded by sitecustomize.py when a program under `python -m paddle_lite run` imports NumPy.
"""

import warnings

BUILTINS = {  # np.float was the float of Python; dropped in NumPy 1.24
    "bool": bool,
    "complex": complex,
    "float": float,
    "int": int,
    "long": int,
    "object": object,
    "str": str,
    "unicode": str,
}
RENAMED = {  # dropped in NumPy 2.0
    "Inf": "inf",
    "Infinity": "inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "infty": "inf",
    "mat": "asmatrix",
    "product": "prod",
    "round_": "round",
    "sometrue": "any",
    "string_": "bytes_",
    "unicode_": "str_",
}


def asscalar(a):
    """The one element of an array; dropped in NumPy 1.23."""
    return a.item()


def restore(numpy):
    """Add the names that are missing, and let float() and "%f" take arrays of one element without a warning."""
    names = vars(numpy)
    added = dict(BUILTINS, NINF=-names["inf"], asscalar=asscalar)
    added.update((old, names[new]) for old, new in RENAMED.items())
    for name, value in added.items():
        names.setdefault(name, value)
    warnings.filterwarnings(
        "ignore", "Conversion of an array with ndim > 0 to a scalar is deprecated", DeprecationWarning
    )
