"""What people would use instead, as small as each of them lets one write it."""
