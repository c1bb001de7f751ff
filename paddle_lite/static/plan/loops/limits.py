"""What the kernels of all kinds of loops have in common: why a loop has none, and their limits."""

from __future__ import annotations

AT_ONCE = 1 << 20
"""The work of the rounds between two looks for signals, in operations: about a millisecond."""
MOST_KERNELS = 8
"""The limit of kernels of a loop: one for each pattern of sizes."""
CHARACTERS = 120
"""The approximate length of the source of an operator."""


class Unfit(Exception):
    """Raised if a loop, or a run of it, goes round by round; its text says why."""
