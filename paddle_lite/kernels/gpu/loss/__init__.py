"""Losses, sampled losses and metrics."""
