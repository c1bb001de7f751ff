"""Static Programs: building, differentiating and running them."""

from ..core.missing import missing_names as _missing_names
from . import recorder
from .block import Block
from .naming import name_scope
from .operator import Operator
from .program import (
    Program,
    default_main_program,
    default_startup_program,
    program_guard,
    switch_main_program,
    switch_startup_program,
)
from .variable import Parameter, Variable

__getattr__ = _missing_names(__name__)

__all__ = [
    "Block",
    "Operator",
    "Parameter",
    "Program",
    "Variable",
    "default_main_program",
    "default_startup_program",
    "name_scope",
    "program_guard",
    "switch_main_program",
    "switch_startup_program",
]
