"""`paddle.fluid.imperative.varbase_patch_methods`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.varbase_patch_methods import *
from paddle_lite.fluid.dygraph.varbase_patch_methods import _getitem_impl_ as _getitem_impl_
