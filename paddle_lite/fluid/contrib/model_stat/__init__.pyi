"""`paddle.fluid.contrib.model_stat`. Made by `python -m stubs`."""

from paddle_lite.fluid.model_stat import print_table as _of__print_summary
from paddle_lite.fluid.model_stat import row_of as _of__summary_model
from paddle_lite.fluid.model_stat import summary as summary
from paddle_lite.fluid.model_stat import table_of as _of__format_summary
_format_summary = _of__format_summary
_print_summary = _of__print_summary
_summary_model = _of__summary_model
