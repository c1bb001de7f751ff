"""Quantization of Programs in place, as PaddlePaddle had it before its passes over Graphs."""
