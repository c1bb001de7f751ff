"""Static Programs. This version has the default Programs' random seeds only; building and running comes next."""

from .program import Program, default_main_program, default_startup_program

__all__ = ["Program", "default_main_program", "default_startup_program"]
