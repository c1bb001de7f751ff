"""What programs take from the native module of 1.8.5, `fluid.core`, and its files reach for around it.

The table of `fluid` names what is public.
"""
