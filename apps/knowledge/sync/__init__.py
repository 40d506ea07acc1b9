"""API sources: what a feed is asked for, when, by whom, and what becomes of its answer."""
