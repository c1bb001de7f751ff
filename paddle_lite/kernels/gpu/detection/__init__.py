"""Regions of feature maps."""
