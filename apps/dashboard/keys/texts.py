"""Words of the pages of API keys."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("مفاتيح API", "API keys"),
    "lead": (
        "بها تصل برامجك إلى معرفة هذا المشروع. يظهر المفتاح مرة واحدة عند إنشائه.",
        "Your programs reach the knowledge of this project with them. A key is shown once, when it is made.",
    ),
    "new": ("مفتاح جديد", "New key"),
    "empty_title": ("لا مفاتيح بعد", "No keys yet"),
    "empty": (
        "أنشئ مفتاحًا ليبحث وكيلك في المعرفة أو ليحدّث نظامك المصادر.",
        "Make a key so that your agent can search, or your system can keep the sources up to date.",
    ),
    "name": ("الاسم", "Name"),
    "name_help": ("ما الذي يستخدم المفتاح، مثل: بوت واتساب.", "What uses the key, such as: WhatsApp bot."),
    "scopes": ("الصلاحيات", "What it may do"),
    "scope_search": ("البحث", "search"),
    "scope_read": ("القراءة والبحث", "read and search"),
    "scope_write": ("التعديل", "change"),
    "scopes_help": (
        "أعطِ أقل ما يكفي. التعديل لا يشمل القراءة.",
        "Give the least that is enough. Changing does not include reading.",
    ),
    "sources": ("المصادر", "Sources"),
    "all_sources": ("كل المصادر", "all sources"),
    "sources_help": (
        "دون اختيار يصل المفتاح إلى كل المصادر. مفتاح بمصادر محددة لا يرى غيرها ولا ينشئ شيئًا.",
        "Without a choice the key reaches all sources. A key with chosen sources sees no others and creates nothing.",
    ),
    "expires": ("ينتهي", "Expires"),
    "expires_help": ("بتوقيت UTC. اتركه فارغًا لمفتاح لا ينتهي.", "In UTC. Leave empty for a key without an end."),
    "expires_own_help": (
        "بتوقيتك أنت. اتركه فارغًا لمفتاح لا ينتهي.",
        "In your own time. Leave empty for a key without an end.",
    ),
    "unknown_zone": (
        "لا نعرف المنطقة الزمنية {zone} التي يذكرها متصفحك. اترك الوقت فارغًا أو غيّر منطقة جهازك.",
        "Your browser’s time zone {zone} is not known here. Leave the end empty, or change the zone of your device.",
    ),
    "no_end": ("بلا نهاية", "no end"),
    "expired": ("انتهى", "expired"),
    "last_used": ("آخر استخدام", "Last used"),
    "created": ("أُنشئ", "Created"),
    "ends_with": ("آخره", "Ends with"),
    "make": ("أنشئ المفتاح", "Make the key"),
    "revoke": ("إبطال", "Revoke"),
    "rotate": ("تجديد", "Rotate"),
    # Shown once.
    "shown_title": ("انسخ المفتاح الآن", "Copy the key now"),
    "shown_lead": (
        "لن يظهر مرة أخرى. من يملكه يستطيع ما يستطيعه المفتاح.",
        "It will not be shown again. Whoever has it can do what the key can.",
    ),
    "done": ("نسخته، عد إلى المفاتيح", "I have it, back to the keys"),
    "try_it": ("جرّبه", "Try it"),
    "rotated_note": (
        "المفتاح القديم يبقى صالحًا ٢٤ ساعة، فبدّله في برامجك قبل ذلك.",
        "The old key stays valid for 24 hours; replace it in your programs before.",
    ),
    "rotate_title": ("تجديد «{name}»؟", "Rotate “{name}”?"),
    "rotate_lost": (
        "يظهر مفتاح جديد بالصلاحيات نفسها، وينتهي القديم بعد ٢٤ ساعة.",
        "A new key with the same rights is shown, and the old one ends after 24 hours.",
    ),
    "revoke_title": ("إبطال «{name}»؟", "Revoke “{name}”?"),
    "revoke_lost": (
        "يُرفض كل طلب بهذا المفتاح من هذه اللحظة. آخر استخدام: {used}.",
        "Every request with this key is refused from now on. Last used: {used}.",
    ),
    "said_revoked": ("أُبطل المفتاح {name}.", "The key {name} was revoked."),
}
