"""Algorithms of convolutions, and the choice among them."""
