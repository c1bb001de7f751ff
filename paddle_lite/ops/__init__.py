"""Operator declarations by family. `registry.get("relu")` finds one; `relu.call(x)` runs it in the current mode."""
