"""The scripts are run, not collected."""

collect_ignore = ["scripts"]
