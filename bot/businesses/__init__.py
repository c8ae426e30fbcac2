"""Businesses that come with the package, as the TOML files that BUSINESS_FILE takes."""
