"""A backend's tools over stdio: exactly three, for the jobs of one workspace."""

from typing import Any

from mawrid_client import wire
from mawrid_client.async_client import AsyncJobClient
from mawrid_client.results import Job
from mawrid_client.stdio import tools
from mawrid_client.stdio.modes import RequestId, Tools
from mawrid_client.stdio.results import fitted_job


class JobMode:
    """Jobs with one Client Token."""

    def __init__(self, client: AsyncJobClient) -> None:
        self._client = client

    @property
    def tools(self) -> Tools:
        return {
            tool.name: (tool, run)
            for tool, run in (
                (tools.SUBMIT_JOB, self._submit),
                (tools.GET_JOB, self._get),
                (tools.WAIT_FOR_JOB, self._wait),
            )
        }

    async def close(self) -> None:
        await self._client.close()

    async def _submit(self, _: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        job = await self._client.submit(request_id=arguments["request_id"], input=arguments["input"])
        return _shown(job)

    async def _get(self, _: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        return fitted_job(_shown(await self._client.get(arguments["job_id"])))

    async def _wait(self, _: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        seconds = arguments.get("max_wait_seconds", wire.WAIT_DEFAULT_SECONDS)
        waited = await self._client.wait(arguments["job_id"], max_wait_seconds=seconds)
        told = {
            **_shown(waited.job),
            "wait_timed_out": waited.timed_out,
            "poll_count": waited.polls,
            "elapsed_ms": waited.elapsed_ms,
        }
        return fitted_job(told)


def _shown(job: Job) -> dict[str, Any]:
    return {**job, "terminal": job.terminal}
