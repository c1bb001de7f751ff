"""Operators of Paddle 2."""
