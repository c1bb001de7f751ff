"""What `bench_growth.py` measures: how costs grow with sizes of Programs, tapes and networks."""
