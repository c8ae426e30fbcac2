"""What is true of appointments: pure rules, without clock and without I/O."""
