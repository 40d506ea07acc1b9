"""Jobs of backends: an input goes in, a worker prepares what an answer to it may rest on, and a callback tells."""
