"""Models in file formats and in the formats of other libraries."""
