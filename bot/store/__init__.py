"""The database: tables, the unit of work, one file of queries per group of tables."""
