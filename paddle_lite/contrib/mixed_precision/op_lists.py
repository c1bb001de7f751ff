"""The operators that run in float16, those that run in float32, and those that follow what comes before them."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message

white_list = {"conv2d", "matmul", "mul"}
"""Operators that run in float16: the products, in which most of the time is spent."""

black_list = {
    "cos_sim", "cross_entropy", "cross_entropy2", "exp", "log", "mean", "sigmoid_cross_entropy_with_logits", "softmax",
    "softmax_with_cross_entropy", "square", "sum",
}  # fmt: skip
"""Operators that run in float32: float16 has too few digits, or too small a range, for what they compute."""

gray_list = {
    "batch_norm", "cast", "dropout", "elementwise_add", "elementwise_div", "elementwise_floordiv", "elementwise_max",
    "elementwise_min", "elementwise_mod", "elementwise_mul", "elementwise_pow", "elementwise_sub", "fill_constant",
    "flatten2", "gather", "gaussian_random", "gaussian_random_batch_size_like", "get_tensor_from_selected_rows",
    "leaky_relu", "lookup_table", "pool2d", "pool3d", "rank", "relu", "relu6", "reshape2", "scale", "sigmoid", "sign",
    "slice", "soft_relu", "stack", "tanh", "top_k", "transpose2", "uniform_random_batch_size_like", "unstack",
}  # fmt: skip
"""Operators that run in the dtype of the operators before them. Those of no list run in float32."""

_CALL = "AutoMixedPrecisionLists"


class AutoMixedPrecisionLists:
    """Lists of the operators that run in float16 and in float32.

    Arguments:
        custom_white_list: types of operators that are to run in float16, in addition to `white_list`.
        custom_black_list: types of operators that are to run in float32, in addition to `black_list`.
        custom_black_varnames: names of Variables; an operator that reads or writes one runs in float32.

    Attributes: white_list, black_list, gray_list, black_varnames.

    Raises:
        ArgumentTypeError: an argument is no collection of names.
        ArgumentValueError: an operator is in both lists.

    >>> import paddle_lite.fluid as fluid
    >>> lists = fluid.contrib.mixed_precision.AutoMixedPrecisionLists(custom_black_list=['matmul'])
    >>> sorted(lists.white_list)
    ['conv2d', 'mul']
    """

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None,
    ) -> None:
        white = _names("custom_white_list", custom_white_list)
        black = _names("custom_black_list", custom_black_list)
        self._custom_white_list, self._custom_black_list = custom_white_list, custom_black_list
        both = sorted(white & black)
        if both:
            got = f"{', '.join(both)}, which custom_black_list has, too"
            raise ArgumentValueError(message(_CALL, "custom_white_list", got, "operators of one list only"))
        self.white_list = (white_list - black) | white
        self.black_list = (black_list - white) | black
        self.gray_list = gray_list - white - black
        names = custom_black_varnames
        self.black_varnames = None if names is None else _names("custom_black_varnames", names)


def _names(argument: str, names: Iterable[str] | None) -> set[str]:
    """Return the names of an argument as a set.

    Raises:
        ArgumentTypeError: it is no collection of names.
    """
    listed = (
        [] if names is None else [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    )
    wrong = [name for name in listed if not isinstance(name, str)]
    if wrong or isinstance(names, str):
        got = describe(wrong[0] if wrong else names)
        raise ArgumentTypeError(message(_CALL, argument, got, "a set or a list of names"))
    return set(listed)
