"""Words of the project's settings, its use over time and its limits."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("إعدادات المشروع", "Project settings"),
    "name": ("اسم المشروع", "Name of the project"),
    "locale": ("لغة المشروع", "Language of the project"),
    "locale_help": (
        "لغة المحتوى واتجاه سطوره، ولغة ما يُقال للوكلاء، لكل من في المشروع.",
        "The language of the content, of its lines’ direction and of what agents are told; for everybody in the project.",
    ),
    "own_language": (
        "لغة هذه الصفحات لك وحدك، وتغيّرها هنا:",
        "The language of these pages is yours alone; you change it here:",
    ),
    "arabic": ("العربية", "Arabic"),
    "english": ("الإنجليزية", "English"),
    "id": ("معرّف المشروع", "Id of the project"),
    "said_saved": ("حُفظت الإعدادات.", "The settings are saved."),
    "questions": ("الأسئلة كل يوم", "Questions a day"),
    "questions_lead": (
        "آخر {days} يومًا. الأسئلة: {asked}، وبلا نتيجة: {missed}.",
        "The last {days} days. Questions: {asked}, without a hit: {missed}.",
    ),
    "day_summary": (
        "{day}. الأسئلة: {asked}، وبلا نتيجة: {missed}",
        "{day}. Questions: {asked}, without a hit: {missed}",
    ),
    "found": ("وُجد جوابها", "found"),
    "missed": ("بلا نتيجة", "without a hit"),
    "usage": ("ما في المشروع", "What the project holds"),
    "limits": ("الحدود", "Limits"),
    "per_key": ("طلبات مفتاح واحد", "Requests of one key"),
    "per_project": ("طلبات المشروع", "Requests of the project"),
    "per_minute": Counted(
        (
            "لا طلبات في الدقيقة",
            "طلب في الدقيقة",
            "طلبان في الدقيقة",
            "{n} طلبات في الدقيقة",
            "{n} طلبًا في الدقيقة",
            "{n} طلب في الدقيقة",
        ),
        ("{n} a minute", "{n} a minute"),
    ),
    "danger": ("حذف المشروع", "Delete the project"),
    "danger_lead": (
        "يحذف كل شيء فيه نهائيًا: المصادر والوثائق والوكلاء والمفاتيح والسجل.",
        "Deletes everything in it for good: sources, documents, agents, keys and the log.",
    ),
    "delete": ("حذف المشروع", "Delete the project"),
    "delete_title": ("حذف «{name}» نهائيًا؟", "Delete “{name}” for good?"),
    "delete_sources": ("كل المصادر ونسخها السابقة", "every source with its earlier contents"),
    "delete_rest": (
        "الوكلاء والوثائق والأسرار والإشعارات وسجل التدقيق",
        "agents, documents, secrets, webhooks and the audit log",
    ),
    "delete_keys": (
        "كل المفاتيح والجلسات: تتوقف برامجك ووكلاؤك فورًا",
        "every key and session: your programs and agents stop at once",
    ),
    "type_name": ("اكتب اسم المشروع للتأكيد", "Type the name of the project to confirm"),
    "wrong_name": ("هذا ليس اسم المشروع.", "This is not the name of the project."),
    "said_deleted": ("حُذف المشروع «{name}».", "The project “{name}” was deleted."),
    # What is counted, by the names of the API.
    "of_knowledge_sources": ("المصادر", "Sources"),
    "of_knowledge_characters": ("الحروف", "Characters"),
    "of_knowledge_documents": ("الوثائق", "Documents"),
    "of_webhook_endpoints": ("عناوين الإشعارات", "Webhook endpoints"),
    "of_agents": ("الوكلاء", "Agents"),
    "of_agent_clients": ("برامج الوكلاء", "Agent clients"),
    "of_agent_sessions": ("جلسات الوكلاء", "Agent sessions"),
}
