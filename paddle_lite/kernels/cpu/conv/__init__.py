"""Convolution algorithms, and the selection of one."""
