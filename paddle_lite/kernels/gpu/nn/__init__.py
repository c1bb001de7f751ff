"""Layers of networks: activations, convolutions, pooling, normalisation, embeddings."""
