"""A measure that nobody calls, in the place of one that is downloaded."""
