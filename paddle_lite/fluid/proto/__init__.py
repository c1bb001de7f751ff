"""`fluid.proto`: the messages of Programs' files, in `framework_pb2`."""

from ...core.missing import missing_names

__getattr__ = missing_names(__name__)
