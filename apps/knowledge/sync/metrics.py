"""What is counted and measured of syncs."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600)

RUNS: Final = Counter("mawrid_sync_runs_total", "Ended runs, by status and error code.", ["status", "error"])
LOST_LEASES: Final = Counter(
    "mawrid_sync_lost_leases_total", "Results dropped because their source was another worker's by then."
)
LOST_WORKERS: Final = Counter("mawrid_sync_lost_workers_total", "Runs whose worker never came back.")
OUTDATED: Final = Counter(
    "mawrid_sync_outdated_total", "Results thrown away because the config was edited meanwhile."
)
LATENESS: Final = Histogram(
    "mawrid_sync_lateness_seconds", "From when a source fell due to when it was queued.", buckets=_SECONDS
)
QUEUE_TIME: Final = Histogram(
    "mawrid_sync_queue_seconds", "From when a run was queued to when a worker took it.", buckets=_SECONDS
)
QUEUE_AGE: Final = Gauge(
    "mawrid_sync_queue_age_seconds",
    "How long the oldest queued run has been waiting.",
    multiprocess_mode="mostrecent",
)
QUEUED: Final = Gauge("mawrid_sync_queued", "Runs that wait for a worker.", multiprocess_mode="mostrecent")
