"""The folder of data sets."""

DATA_HOME = "."
