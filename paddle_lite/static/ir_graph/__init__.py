"""Programs as graphs of nodes, which programs read and change: `core.Graph`, `framework.IrGraph`, and passes over them.

Tools that prune or quantise models work on them. Plans, which run Programs, have a graph of their own (`static/plan/graph.py`).
"""
