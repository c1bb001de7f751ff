"""The base class of a data set of PaddleHub 1, for programs that need no more of it."""
