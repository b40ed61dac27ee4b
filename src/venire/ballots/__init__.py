"""The form that a judge fills in: asked and read in one place, versioned together."""
