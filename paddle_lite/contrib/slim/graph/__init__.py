"""Programs as graphs of operators and Variables, for strategies of compression."""
