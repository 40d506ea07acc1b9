"""REST doors of agents, their versions, prompts and runs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from apps.agents import presenters, queries, replay, runs, serializers, services
from apps.agents.models import Agent, AgentVersion, Run, Step, StepKind
from apps.agents.presenters import DRAFT
from apps.rest.errors import language_of
from apps.rest.fields import ListQuery
from apps.rest.operations import operation
from apps.rest.pagination import Page, newest_first
from apps.rest.views import ApiView

_SEARCH: Final = frozenset({"search", "read"})
_UNKNOWN_SOURCE: Final = "There is no such agent, or a source of `knowledge.sources` is not in the project."
_ROUTE_TAKEN: Final = "Another agent of the project has the route."
_TOO_LARGE: Final = "The prompt would hold more than fits."


class AgentView(ApiView):
    """What all doors of agents share."""

    @property
    def language(self) -> str:
        return language_of(self.request._request)  # noqa: SLF001 -- DRF's only way to the request it wraps

    def agent(self, agent_id: str, *, lock: bool = False) -> Agent:
        return queries.get_agent(self.caller.project_id, agent_id, lock=lock)

    def locked_agent(self, agent_id: str) -> Agent:
        """An agent to change, unless the caller has seen another state of it."""
        agent = self.agent(agent_id, lock=True)
        self.check_if_match(presenters.tagged_agent(agent, queries.read_edition(agent, None)))
        return agent

    def answer_agent(self, agent: Agent) -> HttpResponse:
        draft = queries.read_edition(agent, None)
        return self.single(
            presenters.agent(agent, draft, language=self.language), tagged=presenters.tagged_agent(agent, draft)
        )


class AgentsView(AgentView):
    @operation("List agents", id="list_agents", query=ListQuery, answers={200: serializers.ShownAgent})
    def get(self, request: HttpRequest) -> HttpResponse:
        agents = newest_first(queries.agents_of(self.caller.project_id), lambda agent: agent, **self.paging)
        drafts = queries.read_drafts(self.caller.project_id, agents.data)
        shown = [
            presenters.agent(agent, draft, language=self.language)
            for agent, draft in zip(agents.data, drafts, strict=True)
        ]
        return self.listing(Page(shown, agents.next_cursor))

    @operation(
        "Create an agent",
        id="create_agent",
        request=serializers.NewAgent,
        answers={201: serializers.ShownAgent},
        errors={404: "A source of `knowledge.sources` is not in the project.", 409: _ROUTE_TAKEN},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        agent = services.create_agent(self.caller.project_id, **self.body, actor=self.caller.key_id)
        draft = queries.read_edition(agent, None)
        return self.created(
            presenters.agent(agent, draft, language=self.language),
            location=f"/v1/agents/{agent.id}",
            tagged=presenters.tagged_agent(agent, draft),
        )


class OneAgentView(AgentView):
    @operation("Read an agent", id="get_agent", answers={200: serializers.ShownAgent})
    def get(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        return self.answer_agent(self.agent(agent_id))

    @operation(
        "Change an agent",
        id="update_agent",
        request=serializers.NewAgent,
        partial=True,
        answers={200: serializers.ShownAgent},
        errors={404: _UNKNOWN_SOURCE, 409: _ROUTE_TAKEN},
    )
    def patch(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        agent = self.locked_agent(agent_id)
        return self.answer_agent(services.update_agent(agent, **self.body, actor=self.caller.key_id))

    @operation("Delete an agent with its versions and runs", id="delete_agent", answers={204: None})
    def delete(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        services.delete_agent(self.locked_agent(agent_id), actor=self.caller.key_id)
        return self.no_content()


class PublishView(AgentView):
    @operation(
        "Freeze the draft as the next version and put that to use",
        id="publish_agent",
        answers={200: serializers.ShownAgent},
        errors={409: _TOO_LARGE},
    )
    def post(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        agent = self.agent(agent_id, lock=True)
        services.publish(agent, actor=self.caller.key_id)
        return self.answer_agent(agent)


class VersionsView(AgentView):
    @operation(
        "List the versions of an agent",
        id="list_agent_versions",
        query=ListQuery,
        answers={200: serializers.ShownAgentVersion},
    )
    def get(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        agent = self.agent(agent_id)
        page = newest_first(queries.versions_of(agent), lambda version: version, **self.paging)
        return self.listing(Page(self._shown(agent, page.data), page.next_cursor))

    def _shown(self, agent: Agent, versions: Sequence[AgentVersion]) -> list[dict[str, Any]]:
        attached = queries.attachments_by_version(agent, [version.number for version in versions])
        return [
            presenters.version(
                version, attached[version.number], published=agent.published_version, language=self.language
            )
            for version in versions
        ]


class PromptView(AgentView):
    @operation(
        "Read what a model is told, section by section",
        id="get_agent_prompt",
        query=serializers.PromptQuery,
        answers={200: serializers.ShownPrompt},
        errors={409: _TOO_LARGE},
    )
    def get(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        version = _version_of(self.query["version"])
        edition = queries.read_edition(self.agent(agent_id), version, with_content=True)
        return self.answer(presenters.prompt(edition, form=self.query["format"], language=self.language))


class ReadinessView(AgentView):
    @operation(
        "Read whether an agent can answer from its knowledge",
        id="get_agent_readiness",
        query=serializers.ReadinessQuery,
        answers={200: serializers.ShownReadiness},
    )
    def get(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        agent = self.agent(agent_id)
        asked = self.query.get("version")
        versions = queries.versions_in_use(agent) if asked is None else [_version_of(asked)]
        return self.answer(presenters.judgement(queries.issues_of(agent, versions), language=self.language))


class RunsView(AgentView):
    @operation(
        "List the runs of an agent", id="list_agent_runs", query=ListQuery, answers={200: serializers.ListedRun}
    )
    def get(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        found = queries.runs_of(self.agent(agent_id))
        return self.listing(newest_first(found, presenters.listed_run, **self.paging))

    @operation(
        "Start a run of an agent",
        id="create_agent_run",
        request=serializers.NewRun,
        answers={201: serializers.ShownRun},
        errors={404: "There is no such agent, or it has no such version.", 409: _TOO_LARGE},
    )
    def post(self, request: HttpRequest, agent_id: str) -> HttpResponse:
        agent = self.agent(agent_id)
        version = self.body.get("version", agent.published_version)
        started = runs.start_run(queries.read_edition(agent, version, with_content=True))
        return self.created(
            presenters.run(started.run, [(started.step, started.prompt.text)]),
            location=f"/v1/agents/{agent.id}/runs/{started.run.id}",
        )


class OneRunView(AgentView):
    @operation(
        "Read a run with what it was told in each step", id="get_agent_run", answers={200: serializers.ShownRun}
    )
    def get(self, request: HttpRequest, agent_id: str, run_id: str) -> HttpResponse:
        run = queries.get_run(self.agent(agent_id), run_id)
        return self.single(presenters.run(run, _with_texts(run)))


class RunSearchView(AgentView):
    @operation(
        "Search an agent's knowledge in a run",
        id="search_in_agent_run",
        request=serializers.RunSearch,
        answers={200: serializers.RunSearchAnswer},
        scopes=_SEARCH,
        errors={409: "The agent's knowledge is switched off, or the run has as many steps as it may have."},
    )
    def post(self, request: HttpRequest, agent_id: str, run_id: str) -> HttpResponse:
        agent = self.agent(agent_id)
        run = queries.get_run(agent, run_id, lock=True)
        edition = queries.read_edition(agent, run.version)
        return self.answer(presenters.looked(runs.search_in_run(run, edition, self.body["query"])))


def _version_of(asked: str) -> int | None:
    """The version that a query parameter names; None is the draft."""
    return None if asked == DRAFT else int(asked)


def _with_texts(run: Run) -> Iterator[tuple[Step, str | None]]:
    for step in queries.steps_of(run):
        yield step, replay.prompt_text(run, step) if step.kind == StepKind.PROMPT else None
