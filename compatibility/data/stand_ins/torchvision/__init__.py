"""Stands in for torchvision where a program only imports it."""
