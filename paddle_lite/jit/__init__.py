"""From imperative code to static Programs: TracedLayer records a run, `declarative` translates the source."""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    jit.declared: ProgramTranslator declarative dygraph_to_static_func
    jit.traced: TracedLayer
    """,
)
