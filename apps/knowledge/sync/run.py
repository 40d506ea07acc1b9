"""One sync from claim to result: claimed in a transaction, fetched in none, written down in another."""

from dataclasses import dataclass

from apps.kernel import memory
from apps.knowledge.models import Feed
from apps.knowledge.sync.claims import Claim, claim, wake_next
from apps.knowledge.sync.config import Config, FeedConfig, config_of
from apps.knowledge.sync.faults import Fault
from apps.knowledge.sync.fetching import Fetched, Job, Validators, fetch_text
from apps.knowledge.sync.settle import settle
from apps.knowledge.transform import TransformConfigError
from apps.outbound import OutboundError, header_faults
from apps.projects.scoping import project_scope
from apps.vault.errors import SECRET_MISSING
from apps.vault.release import SecretRefusedError, fill_headers
from apps.vault.render import parse_template


@dataclass(frozen=True, slots=True)
class Prepared:
    """What to do for a claim, or why nothing may be sent, both by one version of the config."""

    work: Job | Fault
    config_version: int


def run_sync(project_id: str, run_id: str) -> None:
    """Do a queued run if it is to be had."""
    claimed = claim(project_id, run_id)
    if claimed is None:
        return
    prepared = _prepare(claimed)
    if prepared is not None:
        settle(claimed, _do(prepared.work), config_version=prepared.config_version)
    wake_next(claimed)


def _prepare(claimed: Claim) -> Prepared | None:
    """Config and secrets as they are now; None when the source was deleted."""
    with project_scope(claimed.project_id):
        feeds = Feed.objects.for_project(claimed.project_id).select_related("source")
        feed = feeds.filter(source_id=claimed.source_id).first()
        return None if feed is None else Prepared(_work(feed), feed.config_version)


def _work(feed: Feed) -> Job | Fault:
    return prepared(feed.project_id, config_of(feed.source), Validators(feed.etag, feed.last_modified))


def prepared(project_id: str, config: Config, validators: Validators) -> Job | Fault:
    """What to send for a settled config, or why nothing may be sent."""
    try:
        read = FeedConfig.of(config)
        headers = _filled(project_id, read)
    except OutboundError as error:
        return Fault.of_transport(error)
    except SecretRefusedError as error:
        return Fault.of_secret(error)
    except TransformConfigError:
        return Fault.unforeseen()  # It was taken once; only a change of our rules refuses it today.
    return Job(read.address, headers, read.transform, validators)


def _filled(project_id: str, config: FeedConfig) -> dict[str, str]:
    """The headers to send; a secret that makes one too long to be sent is no usable one."""
    headers = fill_headers(project_id, config.headers, host=config.url.host)
    for fault in header_faults(headers):
        names = parse_template(config.headers.get(fault.name, "")).names
        raise SecretRefusedError(SECRET_MISSING, {"name": ", ".join(names) or "?"})
    return headers


def _do(work: Job | Fault) -> Fetched:
    if isinstance(work, Fault):
        return Fetched(fault=work)
    fetched = fetch_text(work)
    # Writing it down takes memory of its own.
    memory.give_back()
    return fetched
