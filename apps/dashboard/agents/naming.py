"""What people call the sources and documents that an agent attaches."""

from collections.abc import Iterable

from apps.agents.queries import Attaching
from apps.dashboard.agents.arranging import key_of
from apps.knowledge.documents.queries import list_documents
from apps.knowledge.queries import visible_sources


def names_of(project_id: str, attached: Iterable[Attaching]) -> dict[str, str]:
    """By the keys of the attachments; what was deleted has no name."""
    wanted = {(one.is_document, one.attached_id) for one in attached}
    sources = visible_sources(project_id, None).filter(
        id__in=[name for is_document, name in wanted if not is_document]
    )
    documents = list_documents(project_id).filter(handle__in=[name for is_document, name in wanted if is_document])
    return {
        **{f"source:{name}": title for name, title in sources.values_list("id", "name")},
        **{f"document:{name}": title for name, title in documents.values_list("handle", "title")},
    }


def name_of(names: dict[str, str], one: Attaching) -> str:
    """What it was attached by, where it is gone."""
    return names.get(key_of(one), one.attached_id)
