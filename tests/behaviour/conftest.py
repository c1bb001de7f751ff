"""The cases are called by the tests, not collected."""

collect_ignore = ["cases"]
