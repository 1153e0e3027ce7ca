"""Tables and documents of anything."""
