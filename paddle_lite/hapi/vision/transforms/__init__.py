"""Transforms of images, ndarrays of rows x columns x channels; `core/lazy.py` explains the table.

They compute what OpenCV computes in PaddlePaddle, with NumPy alone: random numbers are NumPy's, so that a seed gives the
same images.
"""

from ....core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    hapi.vision.transforms: color.* functional.* geometry.* pipeline.*
    modules: functional

    [transforms] Transforms of images.
    hapi.vision.transforms: color.* geometry.* pipeline.*
    """,
)
