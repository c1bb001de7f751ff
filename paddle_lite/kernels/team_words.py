"""Where the words of a team are through which threads share the call of a compiled kernel (`team.py`, `compiler/sharing.py`).

Attributes:
    THREADS_AT, LEAVE_AT: the words with the number of threads, and whether they are to leave.
    WORDS, EACH: how many words there are, and how many more for each thread, behind these.
    TRAILING: how many integers stand behind the arguments of a shared call: the address of the team, masks, the length of the
        range, the number of parts.
    OWN_AT: the bit of the masks from which on they say which arrays have a piece for each thread; those below are cut.
"""

__all__ = ["EACH", "LEAVE_AT", "OWN_AT", "THREADS_AT", "TRAILING", "WORDS"]

THREADS_AT, LEAVE_AT, WORDS, EACH = 12, 24, 32, 8
TRAILING = 4
OWN_AT = 32
