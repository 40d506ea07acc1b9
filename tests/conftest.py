"""What all tests share: a closed world, and services that are thrown away with the run."""

pytest_plugins = ["tests.closed_world", "tests.conformance_table", "tests.embedded", "tests.cast"]
