"""Control flow, tensor arrays, global Variables, and inspection of a running Program."""
