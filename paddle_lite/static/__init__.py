"""Static Programs. This version has the default Programs' random seeds only; building and running comes next."""

from ..core.missing import missing_names as _missing_names
from .program import Program, default_main_program, default_startup_program

__getattr__ = _missing_names(__name__)

__all__ = ["Program", "default_main_program", "default_startup_program"]
