"""Settings of all tests."""

from hypothesis import settings

# How long an example takes says nothing here: kernels are compiled at their first use, and machines are shared.
settings.register_profile("paddle_lite", deadline=None)
settings.load_profile("paddle_lite")
