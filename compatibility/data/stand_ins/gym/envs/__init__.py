"""Environments that others register."""
