"""The numbers of keys that games are told."""
