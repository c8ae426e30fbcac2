"""PURE: what we say. `machine.turn(draft, event, view)` decides; no clock, no database, no network in here."""
