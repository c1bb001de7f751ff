"""`paddle.static.plan`. Made by `python -m stubs`."""

from paddle_lite.static.plan.plan import Plan as Plan
