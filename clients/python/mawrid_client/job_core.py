"""The operations of a business backend on its governed jobs, as steps for either client."""

from collections.abc import Callable

from mawrid_client import inputs, jobs, wire
from mawrid_client.answers import accept
from mawrid_client.errors import refuse_input
from mawrid_client.messages import Pause, Request, Steps, send
from mawrid_client.results import Job, JobWait


class JobCore:
    """Operations with one Client Token, which is never tried anywhere else."""

    def __init__(self, *, base_url: str, client_token: str, route: str, clock: Callable[[], float]) -> None:
        if not wire.BEARER.fullmatch(client_token):
            raise refuse_input("client_token must be the token as it was shown.")
        self.base_url = base_url
        self.route = inputs.route(route)
        self._token = client_token
        self._clock = clock

    def submit(self, *, request_id: str, input: str, metadata: object, callback_url: object) -> Steps[Job]:  # noqa: A002 -- the wire's name
        request = jobs.submit_request(
            self.route, request_id=request_id, input=input, metadata=metadata, callback_url=callback_url
        )
        answer = yield from send(self._signed(request))
        return accept(jobs.SUBMIT, answer, lambda: jobs.submitted_of(answer, request_id), status=202)

    def get(self, job_id: str, *, operation: str = jobs.GET) -> Steps[Job]:
        answer = yield from send(self._signed(jobs.get_request(job_id, operation=operation)))
        return accept(operation, answer, lambda: jobs.job_of(answer, job_id))

    def wait(self, job_id: str, *, max_wait_seconds: int) -> Steps[JobWait]:
        """Look every two seconds until the job is over or the time is; a job is never submitted again."""
        began = self._clock()
        deadline = began + jobs.checked_wait(max_wait_seconds)
        polls = 0
        while True:
            job = yield from self.get(job_id, operation=jobs.WAIT)
            polls += 1
            left = deadline - self._clock()
            if job.terminal or left <= 0:
                elapsed = round((self._clock() - began) * 1000)
                return JobWait(job=job, timed_out=not job.terminal, polls=polls, elapsed_ms=elapsed)
            yield Pause(jobs.WAIT, min(wire.POLL_SECONDS, left))

    def _signed(self, request: Request) -> Request:
        return request.with_bearer(self._token)
