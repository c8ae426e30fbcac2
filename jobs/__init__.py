"""The background work: what arq runs, in files of a few lines."""
