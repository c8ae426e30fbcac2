"""What the process answers over HTTP."""
