"""What communication operators of this process call: parameter servers by gRPC."""

from __future__ import annotations

from typing import Any

from ..static.operators.peers import Peers
from .rpc.client import Servers


class ParameterServers(Servers, Peers):
    """The servers of a job, and the service of a server."""

    def serve(self, program: Any, scope: Any, executor: Any) -> None:
        """Run the Program of a server until all trainers are done."""
        from .server.serving import serve

        serve(program, scope, executor)
