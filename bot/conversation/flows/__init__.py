"""One journey a file."""
