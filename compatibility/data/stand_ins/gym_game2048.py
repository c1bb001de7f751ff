"""Registers the game 2048 in gym; the stand-in of gym has it."""
