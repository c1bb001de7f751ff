"""The core of IPython."""
