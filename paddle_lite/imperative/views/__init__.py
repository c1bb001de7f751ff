"""What Layers and the tape show: text with hyperparameters, a summary with shapes and FLOPs, tables and graphs for notebooks."""
