"""Object detection: boxes, matching, targets, regions and losses."""
