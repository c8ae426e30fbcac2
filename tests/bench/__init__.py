"""How fast it is, beside what people would use instead. `make bench` runs all of it; nothing here is asserted."""
