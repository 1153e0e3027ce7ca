"""Models in the formats of files and of other libraries."""
