"""`make bench`: every benchmark in turn, or those named; each prints ratios against a peer of the same run."""

import subprocess
import sys

BENCHES = (
    "relevance_public",
    "relevance_own",
    "search_speed",
    "sections",
    "create_catalog",
    "lookup_many_sources",
    "http_rate",
    "agent_wire",
    "idle_projects",
    "prompt",
    "pages",
    "sync",
    "webhooks",
)


def main(names: list[str]) -> int:
    unknown = set(names) - set(BENCHES)
    if unknown:
        print(f"There is no benchmark {', '.join(sorted(unknown))}. There are: {', '.join(BENCHES)}.")
        return 2
    return max(_run(name) for name in names or BENCHES)


def _run(name: str) -> int:
    print(f"\n== {name}", flush=True)
    return subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
