"""Replays the transcripts of the Nagare protocol against a server."""
