"""What the tests of this room share: the seed's document, read from a text."""

import pytest

from apps.sections import KnowledgeDocument, parse_knowledge_document

GUIDE = """General introduction.
<!-- agent-section:delivery -->
About delivery.
<!-- agent-section:delivery.timing -->
Two days.
<!-- /agent-section:delivery.timing -->
More about delivery.
<!-- /agent-section:delivery -->
<!-- agent-section:returns -->
Within a week.
<!-- /agent-section:returns -->
Goodbye.
"""


@pytest.fixture
def guide() -> KnowledgeDocument:
    return parse_knowledge_document(id="service-guide", revision="1", text=GUIDE, locale="en")
