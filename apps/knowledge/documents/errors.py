"""Codes of documents, their sections, selections and snapshots."""

from apps.kernel.errors import define

DOCUMENT_NOT_FOUND = define(
    "document_not_found",
    404,
    "There is no document with this id in the project.",
    "لا توجد في المشروع وثيقة بهذا المعرّف.",
)
SECTION_NOT_FOUND = define(
    "section_not_found",
    404,
    "The document has no section {section_id}.",
    "ليس في الوثيقة قسم بالمعرّف {section_id}.",
)
SNAPSHOT_NOT_FOUND = define(
    "snapshot_not_found",
    404,
    "No snapshot is stored under this id in the project.",
    "لا توجد في المشروع لقطة محفوظة بهذا المعرّف.",
)
DOCUMENT_ID_RESERVED = define(
    "document_id_reserved",
    400,
    "No document can be called {document_id}. Choose another id.",
    "لا يمكن أن تسمى وثيقة {document_id}. اختر معرّفًا آخر.",
)
REVISION_CONFLICT = define(
    "revision_conflict",
    409,
    "The revision {revision} stands for another text or locale of this document. Name the new one differently.",
    "المراجعة {revision} تدل على نص أو لغة أخرى لهذه الوثيقة. سمِّ الجديد باسم خاص به.",
)
BROKEN_REFERENCES = define(
    "broken_references",
    409,
    "Nothing was changed, because saved selections would lose what they name: {broken}.",
    "لم يتغير شيء، لأن اختيارات محفوظة ستفقد ما تسميه: {broken}.",
)
DOCUMENT_IN_USE = define(
    "document_in_use",
    409,
    "The document is used by: {users}. Take it out there first, or delete with ?detach=true.",
    "الوثيقة مستخدمة لدى: {users}. أزلها منها أولًا، أو احذفها مع ?detach=true.",
)
DOCUMENT_IS_DRAFT = define(
    "document_is_draft",
    409,
    "The document is a draft, and drafts are not searched. Publish it first.",
    "الوثيقة مسودة، ولا يُبحث في المسودات. انشرها أولًا.",
)
SELECTION_TOO_LARGE = define(
    "selection_too_large",
    400,
    "The selected text has {actual_chars} characters, more than the {max_chars} allowed. It is never cut.",
    "النص المختار فيه {actual_chars} محرف، أكثر من {max_chars} المسموح بها، ولا يُقتطع منه أبدًا.",
)
SECTION_IDS_NOT_TAKEN = define(
    "section_ids_not_taken",
    400,
    "The mode document reads everything. Leave section_ids out.",
    "الوضع document يقرأ كل شيء. لا ترسل section_ids.",
)
TEXT_OR_PARTS = define(
    "text_or_parts",
    400,
    "Give the document as text with anchors or as parts, one of the two.",
    "أرسل الوثيقة نصًا بعلامات text أو أجزاءً parts، واحدًا منهما فقط.",
)
MARKER_MALFORMED = define(
    "marker_malformed",
    400,
    "Line {line} looks like a section marker and is none. Write <!-- agent-section:ID --> or "
    "<!-- /agent-section:ID --> exactly so, on a line of its own.",
    "السطر {line} يشبه علامة قسم وليس كذلك. اكتب <!-- agent-section:ID --> أو <!-- /agent-section:ID --> "
    "هكذا تمامًا في سطر مستقل.",
)
MARKER_ID_INVALID = define(
    "marker_id_invalid",
    400,
    "The section marked on line {line} needs an id of 1 to {limit} of the characters A-Z a-z 0-9 . _ : and -.",
    "القسم المعلَّم في السطر {line} يحتاج معرّفًا من 1 إلى {limit} من المحارف A-Z a-z 0-9 . _ : و-.",
)
SECTION_UNCLOSED = define(
    "section_unclosed",
    400,
    "The section {section_id}, opened on line {line}, is never closed.",
    "القسم {section_id} المفتوح في السطر {line} لم يُغلق.",
)
SECTION_UNOPENED = define(
    "section_unopened",
    400,
    "Line {line} closes the section {section_id}, which is not open.",
    "السطر {line} يغلق القسم {section_id} وهو غير مفتوح.",
)
SECTIONS_CROSSING = define(
    "sections_crossing",
    400,
    "Line {line} closes the section {section_id} while {open_id} inside it, opened on line {open_line}, is open.",
    "السطر {line} يغلق القسم {section_id} بينما {open_id} داخله، المفتوح في السطر {open_line}، ما زال مفتوحًا.",
)
SECTION_REPEATED = define(
    "section_repeated",
    400,
    "The section {section_id} stands twice, at {first_place} and at {place}. An id stands once in a document.",
    "القسم {section_id} مكرر، في {first_place} وفي {place}. المعرّف لا يتكرر في الوثيقة كلها.",
)
SECTION_CYCLE = define(
    "section_cycle",
    400,
    "The section {section_id} contains itself, at {place}.",
    "القسم {section_id} يحتوي نفسه، في {place}.",
)
SECTIONS_TOO_DEEP = define(
    "sections_too_deep",
    400,
    "The section {section_id}, at {place}, is nested deeper than {limit} levels.",
    "القسم {section_id}، في {place}، متداخل أعمق من {limit} مستوى.",
)
SECTION_ID_INVALID = define(
    "section_id_invalid",
    400,
    "A section id is a text of 1 to {limit} characters without white space around it.",
    "معرّف القسم نص من 1 إلى {limit} محرف دون مسافات حوله.",
)
PART_INVALID = define(
    "part_invalid",
    400,
    "A part is a text, or a section with id and parts.",
    "الجزء نص، أو قسم له id وparts.",
)
TOO_MANY_SECTIONS = define(
    "too_many_sections",
    400,
    "The document has more than {limit} sections. Split it.",
    "في الوثيقة أكثر من {limit} قسم. قسّمها.",
)
