"""`paddle.fluid.proto.framework_pb2`. Made by `python -m stubs`."""

from paddle_lite.static.proto.messages import *
from paddle_lite.static.proto.messages import _class_of as _class_of
from paddle_lite.static.proto.messages import _message as _message
