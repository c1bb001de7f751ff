"""What Layers show of themselves: text with hyperparameters, a summary with shapes and FLOPs, tables and graphs for notebooks."""
