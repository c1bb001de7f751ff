"""What notebooks show: tables and graphs as HTML and SVG."""
