"""`paddle.fluid.unique_name`. Made by `python -m stubs`."""

from paddle_lite.core.unique_name import Generator as _of_UniqueNameGenerator
from paddle_lite.core.unique_name import generate as _of_generate_with_ignorable_key
from paddle_lite.core.unique_name import generate as generate
from paddle_lite.core.unique_name import guard as guard
from paddle_lite.core.unique_name import switch as switch
UniqueNameGenerator = _of_UniqueNameGenerator
generate_with_ignorable_key = _of_generate_with_ignorable_key
