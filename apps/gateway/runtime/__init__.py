"""What agents do with a session: enter workspaces, take turns, look knowledge up and read it."""
