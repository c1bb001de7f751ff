"""Readers that ask a teacher."""
