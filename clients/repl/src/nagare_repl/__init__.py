"""A prompt for exploring any program that speaks Nagare's protocol."""
