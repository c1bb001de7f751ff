"""Plans: a Program compiled for one set of feeds and fetches.

Building a Program imports only `needed` from here. The compiler and the runtime of Plans are imported with the first
Plan.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__, "static.plan.plan: Plan")
