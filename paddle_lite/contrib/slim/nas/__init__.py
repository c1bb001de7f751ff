"""Searches for networks, by a server that proposes and agents that train."""
