"""`paddle.fluid.core.op_proto_and_checker_maker`. Made by `python -m stubs`."""

from paddle_lite.fluid.native import kOpCreationCallstackAttrName as kOpCreationCallstackAttrName
from paddle_lite.fluid.native import kOpDeviceAttrName as kOpDeviceAttrName
from paddle_lite.fluid.native import kOpNameScopeAttrName as kOpNameScopeAttrName
from paddle_lite.fluid.native import kOpRoleAttrName as kOpRoleAttrName
from paddle_lite.fluid.native import kOpRoleVarAttrName as kOpRoleVarAttrName
from paddle_lite.static.program.roles import OpRole as OpRole
