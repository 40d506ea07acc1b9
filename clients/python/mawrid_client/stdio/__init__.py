"""The command `mawrid-mcp`: the tools of the service for MCP hosts that start their servers as programs."""
