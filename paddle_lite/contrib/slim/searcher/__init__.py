"""Searches for the best tokens."""
