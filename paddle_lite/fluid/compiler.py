"""`fluid.compiler`."""

from ..core.missing import missing_names
from ..static import BuildStrategy, CompiledProgram, ExecutionStrategy

__getattr__ = missing_names(__name__)

__all__ = ["BuildStrategy", "CompiledProgram", "ExecutionStrategy"]
