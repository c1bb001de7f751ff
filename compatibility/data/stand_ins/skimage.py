"""A scikit-image whose measure of likeness nobody calls."""

import sys
import types


def compare_ssim(*arguments, **keywords):
    """Refuse to compute."""
    raise NotImplementedError


measure = types.ModuleType("skimage.measure")
measure.compare_ssim = compare_ssim
sys.modules["skimage.measure"] = measure
