"""Data sets with a local cache: `paddle.dataset`. One module for each data set; `common` finds and downloads files."""

from . import common, digits, mnist, uci_housing

__all__ = ["common", "digits", "mnist", "uci_housing"]
