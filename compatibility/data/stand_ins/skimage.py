"""A scikit-image whose measure of likeness and filter nobody calls."""

import sys
import types


def refuse(*arguments, **keywords):
    """Refuse to compute."""
    raise NotImplementedError


for part, name in ("measure", "compare_ssim"), ("filters", "gaussian"):
    module = sys.modules[f"skimage.{part}"] = types.ModuleType(f"skimage.{part}")
    setattr(module, name, refuse)
