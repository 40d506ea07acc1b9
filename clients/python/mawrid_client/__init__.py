"""Python client of Mawrid's agent wire: log in, start turns, search in hints, read by reference, run jobs."""

from mawrid_client.async_client import AsyncAgentClient, AsyncJobClient
from mawrid_client.callbacks import CallbackRefusedError, verify_job_callback
from mawrid_client.errors import AgentError
from mawrid_client.login import log_in, log_in_async
from mawrid_client.logins import FileTokenStore, Login, MemoryTokenStore, TokenStore
from mawrid_client.options import Binding, Signal
from mawrid_client.results import (
    Completion,
    Hint,
    Job,
    JobWait,
    KnowledgeCapabilities,
    KnowledgeDelivery,
    KnowledgePage,
    KnowledgeSearch,
    Profile,
    Reading,
    SessionView,
    Turn,
    Workspace,
)
from mawrid_client.sync_client import AgentClient, JobClient
from mawrid_client.turns import turn_input
from mawrid_client.wire import VERSION

__all__ = [
    "VERSION",
    "AgentClient",
    "AgentError",
    "AsyncAgentClient",
    "AsyncJobClient",
    "Binding",
    "CallbackRefusedError",
    "Completion",
    "FileTokenStore",
    "Hint",
    "Job",
    "JobClient",
    "JobWait",
    "KnowledgeCapabilities",
    "KnowledgeDelivery",
    "KnowledgePage",
    "KnowledgeSearch",
    "Login",
    "MemoryTokenStore",
    "Profile",
    "Reading",
    "SessionView",
    "Signal",
    "TokenStore",
    "Turn",
    "Workspace",
    "log_in",
    "log_in_async",
    "turn_input",
    "verify_job_callback",
]
