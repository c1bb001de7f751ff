"""To PyTorch: a module in readable source, and its weights; one file for each family of operators."""
