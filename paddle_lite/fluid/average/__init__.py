"""Averages of numbers."""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.imports: *
    metric.average: WeightedAverage
    within fluid.internals.numbers: _is_number_=is_number _is_number_or_matrix_=is_number_or_matrix
    """,
)
