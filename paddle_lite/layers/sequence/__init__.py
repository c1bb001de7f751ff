"""Sequences in ragged batches: pooling, rearranging rows, matching, structured losses."""
