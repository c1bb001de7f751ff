"""`fluid.proto.framework_pb2`: the message classes of Programs' files."""

from ...static.proto.messages import *
