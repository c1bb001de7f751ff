"""The class of Layer classes."""

from abc import ABCMeta


class LayerType(ABCMeta):
    """The metaclass of `Layer`. As in Paddle it is not `type`, so that a program may derive its own metaclass from it and `abc.ABCMeta`.

    Beyond Paddle, a Layer may have `abc.ABC` as a further base. Instances and subclasses are those that inherit: none is registered.
    """

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__
