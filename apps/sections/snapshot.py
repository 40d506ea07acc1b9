"""What was read, frozen: whoever writes an answer and whoever reviews it look at the same text."""

import hashlib
import json
from dataclasses import dataclass

from apps.sections.selection import Selection


@dataclass(frozen=True)
class KnowledgeSnapshot:
    """The text of a selection of one revision of a document."""

    document_id: str
    selection: Selection
    revision: str
    locale: str | None
    content: str

    @property
    def id(self) -> str:
        """A reference made of identity and selection, never of the content.

        It is no credential and no proof of the content, and whether anything is stored under it a store can say.
        """
        identity = {
            "document_id": self.document_id,
            "revision": self.revision,
            "locale": self.locale,
            "selection": self.selection.as_mapping(),
        }
        canonical = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return f"snap_{hashlib.sha256(canonical.encode()).hexdigest()}"
