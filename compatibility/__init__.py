"""Programs of other people, run unmodified on PaddlePaddle 1.8.5 and on paddle_lite: `python -m compatibility --help`.

`programs/` says which, one file a project (catalog.py reads them); `data/` makes synthetic data for them; nothing of their
code is here: it is fetched into a cache. `results/` holds what was found, from which page.py writes docs/compatibility.md.
"""
