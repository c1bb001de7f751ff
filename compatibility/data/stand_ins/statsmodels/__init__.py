"""The names of statsmodels that a program imports before it trains networks."""
