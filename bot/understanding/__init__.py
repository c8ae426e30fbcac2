"""PURE: what a phrase means. No network, no model, no clock."""
