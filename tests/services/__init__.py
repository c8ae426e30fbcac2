"""The real servers and programs that the tests use, started and ended by the tests."""
