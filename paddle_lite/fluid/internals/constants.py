"""Patterns and first parts of names that files of Fluid 1.8.5 keep beside their functions."""

from __future__ import annotations

import re

__all__: list[str] = []

string_types = (str,)

# the words of CamelCase, as `dygraph.layers` finds them
first_cap = re.compile("(.)([A-Z][a-z]+)")
all_cap = re.compile("([a-z])([A-Z])")

# formulas and links in the comments of operators, as `layers.layer_function_generator` finds them
single_dollar = re.compile(r"\$([^\$]+)\$")
two_dollars = re.compile(r"\$\$([^\$]+)\$\$")
two_bangs = re.compile(r"!!([^!]+)!!")

# the parts that names begin with which `dygraph_to_static` makes up
BREAK_NAME_PREFIX, CONTINUE_NAME_PREFIX = "__break", "__continue"
TRUE_FUNC_PREFIX, FALSE_FUNC_PREFIX = "true_fn", "false_fn"
LOGIC_AND_PREFIX, LOGIC_OR_PREFIX, LOGIC_NOT_PREFIX, PLAIN_TENSOR_PREFIX = (
    "logic_and",
    "logic_or",
    "logic_not",
    "bool_tensor",
)
WHILE_CONDITION_PREFIX, WHILE_BODY_PREFIX = "while_condition", "while_body"
FOR_CONDITION_PREFIX, FOR_BODY_PREFIX, GENERATE_VARIABLE_PREFIX = (
    "for_loop_condition",
    "for_loop_body",
    "generate_variable",
)

# the seconds after which 1.8.5 looks whether processes that load batches live; here it is seen at once that one has ended
MP_INDICES_CHECK_INTERVAL = 5

# the seconds that 1.8.5 waits for a batch of a process; here only `timeout` of a DataLoader ends the wait
QUEUE_GET_TIMEOUT = 60

# whether the modules core_avx and core_noavx can be imported, which are both the one core, and whether the latter was asked for
has_avx_core, has_noavx_core, load_noavx = True, True, False
