"""Sequences: rows that belong together by a LoD."""
