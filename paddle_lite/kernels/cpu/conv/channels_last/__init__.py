"""Convolutions and poolings of images whose channels are last in memory, for inference with weights that are laid out once."""
