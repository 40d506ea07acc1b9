"""Tries a feed's form before it is saved: on a sample that was fetched or pasted, by the code that a sync runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.utils import timezone

from apps.dashboard.sources.forms import FeedForm
from apps.kernel.errors import CATALOGUE, AppError
from apps.knowledge import trials, warnings
from apps.knowledge.models import FeedSample, SampleStatus
from apps.knowledge.sync import samples
from apps.knowledge.sync.fetching import doubts_of
from apps.knowledge.transform import TransformError, TransformResult
from apps.knowledge.transform.outline import FoundField, FoundList, fields_of, lists_in
from apps.knowledge.transform.suggest import suggest

MOST_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class DraftLine:
    text: str
    is_heading: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What there is of a sample, and what the form makes of it.

    `problem` is what is wrong with the form or the sample, `fault` why none could be fetched, with its code.
    """

    sample_id: str = ""
    is_waiting: bool = False
    fetched_at: datetime | None = None
    http_status: int | None = None
    fault: Mapping[str, str] | None = None
    problem: str = ""
    has_sample: bool = False
    lists: Sequence[FoundList] = ()
    fields: Sequence[FoundField] = ()
    can_fill: bool = False
    result: TransformResult | None = None
    warnings: Sequence[dict[str, str]] = field(default_factory=list)

    @property
    def lines(self) -> list[DraftLine]:
        if self.result is None:
            return []
        headings = self.result.heading_lines
        return [
            DraftLine(text.removeprefix("### ") if number in headings else text, number in headings)
            for number, text in enumerate(islice(self.result.all_lines(), MOST_LINES))
        ]

    @property
    def more(self) -> int:
        return 0 if self.result is None else max(len(self.result.all_lines()) - MOST_LINES, 0)


def draft_of(form: FeedForm, project_id: str, *, fetch: bool, language: str) -> Draft:
    """The draft of a form; with `fetch` a new sample is asked for first."""
    form.is_valid()
    try:
        if fetch:
            return _waiting(
                samples.request_sample(project_id, url=form.config["url"], headers=form.config["headers"])
            )
        return _of_sample(form, project_id, language)
    except AppError as error:
        return Draft(sample_id=form.cleaned_data.get("sample_id") or "", problem=_problem(error, language))


def filled_in(form: FeedForm, project_id: str) -> Mapping[str, str]:
    """What a person may have filled into the form for them; nothing where the sample shows no items."""
    form.is_valid()
    try:
        value = _value(form, project_id)
    except (AppError, TransformError):
        return {}
    return suggest(value) or {}


def _waiting(sample: FeedSample) -> Draft:
    return Draft(sample_id=sample.id, is_waiting=True)


def _of_sample(form: FeedForm, project_id: str, language: str) -> Draft:
    sample_id = form.cleaned_data.get("sample_id")
    if not sample_id or form.cleaned_data.get("sample", "").strip():
        return _of_paste(form, language)
    sample = samples.get_sample(project_id, sample_id)
    fault = samples.fault_of(sample, timezone.now(), language=language)
    if fault is not None:
        return Draft(fault=fault, http_status=sample.http_status)
    if sample.status != SampleStatus.READY:
        return _waiting(sample)
    return _tried(form, samples.value_of(sample), language, sample_id=sample.id, fetched_at=sample.started_at)


def _of_paste(form: FeedForm, language: str) -> Draft:
    text = form.cleaned_data.get("sample", "")
    return _tried(form, trials.read_sample(text), language) if text.strip() else Draft()


def _value(form: FeedForm, project_id: str) -> Any:
    text = form.cleaned_data.get("sample", "")
    if text.strip():
        return trials.read_sample(text)
    return samples.value_of(samples.get_sample(project_id, form.cleaned_data.get("sample_id") or ""))


def _tried(form: FeedForm, value: Any, language: str, **about: Any) -> Draft:
    path = form.cleaned_data.get("items_path") or ""
    lists = lists_in(value)
    known = {"has_sample": True, "lists": lists, "fields": fields_of(value, path), "can_fill": bool(lists), **about}
    transform = form.transform
    if transform is not None and "line" not in transform:
        return Draft(**known)
    try:
        result = trials.try_transform(value, transform)
    except AppError as error:
        return Draft(**known, problem=_problem(error, language))
    return Draft(**known, result=result, warnings=warnings.shown(doubts_of(result, {}), language))


def _problem(error: AppError, language: str) -> str:
    """All that is wrong, in words."""
    sentences = [CATALOGUE[fault.code].message(language, fault.params) for fault in error.errors]
    return " ".join(dict.fromkeys(sentences))
