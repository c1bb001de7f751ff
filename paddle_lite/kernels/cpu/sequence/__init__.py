"""Sequences in ragged batches: pooling, moving rows, matching, structured losses."""
