"""Nothing of resampy: for programs that import it and read sound at the rate that they want."""
