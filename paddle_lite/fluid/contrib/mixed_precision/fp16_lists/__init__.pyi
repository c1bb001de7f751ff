"""`paddle.fluid.contrib.mixed_precision.fp16_lists`. Made by `python -m stubs`."""

from paddle_lite.contrib.mixed_precision.op_lists import AutoMixedPrecisionLists as AutoMixedPrecisionLists
from paddle_lite.contrib.mixed_precision.op_lists import black_list as black_list
from paddle_lite.contrib.mixed_precision.op_lists import gray_list as gray_list
from paddle_lite.contrib.mixed_precision.op_lists import white_list as white_list
