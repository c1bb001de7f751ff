"""Recurrent networks and beam search."""
