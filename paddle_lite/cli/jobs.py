"""`python -m paddle_lite distributed`: a look at the jobs of parameter servers."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from paddle_lite.core.errors import EnforceNotMet


def add(parser: Any) -> None:
    """Add the command line of `distributed`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    status = actions.add_parser("status", help="ask parameter servers who is there and how far they are")
    status.add_argument("endpoints", metavar="HOST:PORT", nargs="+", help="a server")


def main(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit code: 1 if a server has not told its state."""
    from paddle_lite.distributed.status import report

    try:
        text, well = report([each for word in arguments.endpoints for each in word.split(",") if each])
    except EnforceNotMet as error:  # no endpoint, or gRPC is not installed
        print(error, file=sys.stderr)
        return 2
    print(text)
    return 0 if well else 1
