"""Operators that 1.8.5 offers to programs which append them by hand: of servers, tables, files and readers."""
