"""Compression of models: quantization, pruning, distillation and the search for networks."""
