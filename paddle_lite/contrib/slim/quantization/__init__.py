"""Quantization: passes over Graphs for training with quantized values, and quantization of trained models."""
