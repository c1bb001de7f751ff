"""`paddle.fluid.unique_name`. Made by `python -m stubs`."""

from paddle_lite.core.unique_name import Generator as _of_UniqueNameGenerator
from paddle_lite.core.unique_name import ParameterNameChecker as _of_DygraphParameterNameChecker
from paddle_lite.core.unique_name import generate as _of_generate_with_ignorable_key
from paddle_lite.core.unique_name import generate as generate
from paddle_lite.core.unique_name import guard as guard
from paddle_lite.core.unique_name import parameter_name_checker as _of_dygraph_parameter_name_checker
from paddle_lite.core.unique_name import switch as switch
from typing import Any
DygraphParameterNameChecker = _of_DygraphParameterNameChecker
UniqueNameGenerator = _of_UniqueNameGenerator
dygraph_parameter_name_checker = _of_dygraph_parameter_name_checker
generate_with_ignorable_key = _of_generate_with_ignorable_key
generator: Any
