"""Plans: a Program compiled for one set of feeds and fetches.

Building a Program imports `needed` from here; what compiles and runs Plans is imported with the first one.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__, "static.plan.plan: Plan")
