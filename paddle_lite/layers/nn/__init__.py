"""Layers of neural networks: activations, convolutions, pooling, normalisation, embeddings."""
