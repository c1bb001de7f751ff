"""Convolutions over volumes."""

from __future__ import annotations

from typing import Any

from ..framework.costs import CONVOLUTION
from ..framework.spec import CUDNN, MKLDNN, Declaration, Grad, Ints, op
from ..support.windows import check_layout, with_attributes
from . import conv

ATTRS: dict[str, Any] = {
    "is_test": False,
    "strides": Ints([1, 1, 1]),
    "paddings": Ints([0, 0, 0]),
    "padding_algorithm": "EXPLICIT",
    "groups": 1,
    "dilations": Ints([1, 1, 1]),
    **CUDNN,
    **MKLDNN,
    "fuse_relu": False,
    "fuse_activation": "",
    "fuse_alpha": 0.0,
    "fuse_beta": 0.0,
    "fuse_residual_connection": False,
    "data_format": "NCDHW",
    "force_fp32_output": False,
    "workspace_size_MB": 512,
    "exhaustive_search": False,
}


@op("conv3d", inputs="Input Filter ResidualData?", outputs="Output", attrs=ATTRS, flops=CONVOLUTION)
class conv3d(Declaration):
    """Output = Input [N, C, D, H, W] convolved with Filter [K, C / groups, KD, KH, KW], plus ResidualData."""

    def infer(Input, Filter, ResidualData, **attrs):
        check_layout("conv3d", attrs["data_format"], ("NCDHW", "AnyLayout", "NDHWC"))
        out = conv.infer_conv("conv3d", Input, Filter, **attrs)
        return conv.check_added("conv3d", out, Filter.shape[0], None, ResidualData)

    @with_attributes(conv.PLACE)
    def reference(xp, Input, Filter, ResidualData, **place):
        return conv.reference(xp, Input, Filter, None, ResidualData, **place)

    @with_attributes(conv.PLACE)
    def gradient(xp, Input, Filter, ResidualData, dOutput, *, need=(True, True), **place):
        return conv.gradient(xp, Input, Filter, None, dOutput, need=(*need, False), **place)[:2]

    def twice(Input, Filter, ResidualData, dOutput, ddInput, ddFilter, **attrs):
        return conv.twice("conv3d", Input, Filter, None, dOutput, ddInput, ddFilter, None, **attrs)

    double = Grad(
        "Input Filter ResidualData# Output@GRAD Input@GRAD@GRAD Filter@GRAD@GRAD",
        "Input@GRAD Filter@GRAD Output@GRAD@GRAD",
        compose=twice,
    )
    grad = Grad("Input Filter ResidualData# Output@GRAD", "Input@GRAD Filter@GRAD", gradient, grad=double)
