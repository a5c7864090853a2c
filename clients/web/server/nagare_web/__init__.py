"""Serves the page, and starts a `nagare` for each browser window that opens it."""
