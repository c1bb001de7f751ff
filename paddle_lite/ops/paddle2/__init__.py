"""Operators of Paddle 2, which its later versions write into models."""
