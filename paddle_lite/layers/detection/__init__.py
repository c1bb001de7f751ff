"""Object detection: boxes, matching, training targets, region pooling and losses."""
