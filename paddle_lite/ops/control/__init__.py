"""Control flow, and looking into a running Program."""
