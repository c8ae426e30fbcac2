"""The tests, file for file beside what they test."""
