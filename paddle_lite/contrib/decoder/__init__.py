"""Decoders of sequences: a cell that computes a step, its training on given words, and beam search with it."""
