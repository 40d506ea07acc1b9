"""Codes of agents, their versions and runs."""

from apps.kernel.errors import define

AGENT_NOT_FOUND = define(
    "agent_not_found",
    404,
    "There is no agent with this id in the project.",
    "لا يوجد في المشروع وكيل بهذا المعرّف.",
)
AGENT_VERSION_NOT_FOUND = define(
    "agent_version_not_found",
    404,
    "The agent has no such version. Give the number of a published one, or draft.",
    "ليس للوكيل إصدار كهذا. اذكر رقم إصدار منشور، أو draft للمسودة.",
)
NOT_A_VERSION = define(
    "not_a_version",
    400,
    "This must be the number of a version, or draft.",
    "يجب أن تكون القيمة رقم إصدار، أو draft.",
)
RUN_NOT_FOUND = define(
    "run_not_found",
    404,
    "The agent has no run with this id.",
    "ليس للوكيل تشغيل بهذا المعرّف.",
)
ROUTE_TAKEN = define(
    "route_taken",
    409,
    "Another agent of the project has this route. Choose another one, or take it away there first.",
    "هذا المسار لوكيل آخر في المشروع. اختر مسارًا آخر أو أزله من هناك أولًا.",
)
ROUTE_RESERVED = define(
    "route_reserved",
    400,
    "This route is reserved: for agent clients it stands for no agent in particular. Give another one.",
    "هذا المسار محجوز: لا يدل عند برامج الوكلاء على وكيل بعينه. أعط مسارًا آخر.",
)
TOO_MANY_AGENTS = define(
    "too_many_agents",
    409,
    "The project has {limit} agents, which is the most. Delete one that is not needed.",
    "بلغ المشروع الحد الأقصى من الوكلاء وهو {limit}. احذف ما لا تحتاجه منهم.",
)
PROMPT_TOO_LARGE = define(
    "prompt_too_large",
    409,
    "The prompt holds {size} characters, more than the {limit} that fit. Shorten the instructions, or make "
    "sources searchable.",
    "في النص {size} محرفًا، وهو أكثر من {limit} المسموح بها. اختصر التعليمات أو اجعل مصادر قابلة للبحث.",
)
KNOWLEDGE_DISABLED = define(
    "knowledge_disabled",
    409,
    "The agent's knowledge is switched off. Set knowledge.enabled to true to search it.",
    "معرفة الوكيل معطّلة. اجعل knowledge.enabled بالقيمة true للبحث فيها.",
)
SOURCE_OR_DOCUMENT = define(
    "source_or_document",
    400,
    "Attach a source by source_id or a document by document_id, one of the two.",
    "أرفق مصدرًا بـ source_id أو وثيقة بـ document_id، واحدًا منهما فقط.",
)
SELECTION_OF_A_SOURCE = define(
    "selection_of_a_source",
    400,
    "Only a document has sections to select. Leave selection out for a source.",
    "الأقسام تُختار من الوثائق فقط. لا ترسل selection مع مصدر.",
)
TOO_MANY_STEPS = define(
    "too_many_steps",
    409,
    "The run has {limit} steps, which is the most. Start a new run.",
    "بلغ التشغيل الحد الأقصى من الخطوات وهو {limit}. ابدأ تشغيلًا جديدًا.",
)
