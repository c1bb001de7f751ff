"""Stands in for progress, whose bars nobody reads here."""
