"""Words of the pages of webhook endpoints and their deliveries."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("إشعارات Webhook", "Webhooks"),
    "lead": (
        "نخبر نظامك فور حدوث شيء: تغيّر مصدر، أو تعذر الجلب من رابط بيانات. كل رسالة موقّعة، وتُعاد حتى تصل.",
        "We tell your system when something happens: a source changed, or a feed could not be fetched. Every message "
        "is signed, and repeated until it arrives.",
    ),
    "new": ("عنوان جديد", "New endpoint"),
    "empty_title": ("لا عناوين بعد", "No endpoints yet"),
    "empty": (
        "أضف عنوانًا في نظامك ليعلم بتعطل رابط بيانات قبل أن يلاحظه عملاؤك.",
        "Add an address of your system, so that it knows of a failing feed before your customers do.",
    ),
    "url": ("العنوان", "Address"),
    "url_help": (
        "عنوان عام يبدأ بـ https، على المنفذ 443 أو 8443.",
        "A public https address, on port 443 or 8443.",
    ),
    "events": ("الأحداث", "Events"),
    "events_help": ("اختر ما تريد أن تعلم به.", "Choose what you want to be told."),
    "every_event": ("كل الأحداث", "every event"),
    "on": ("يعمل", "on"),
    "off": ("متوقف", "off"),
    "state": ("الحالة", "State"),
    "created": ("أُضيف", "Added"),
    "at": ("العنوان: {url}", "Address: {url}"),
    "off_manual": ("أوقفه أحد الأعضاء.", "A member switched it off."),
    "off_gone": ("أجاب العنوان بأنه لم يعد موجودًا.", "The address answered that it is gone."),
    "off_no_success": ("لم تصل إليه أي رسالة منذ أيام.", "Nothing reached it for days."),
    "off_failures_in_a_row": ("تعذرت رسائل كثيرة متتالية.", "Too many messages in a row failed."),
    "switch_on": ("شغّله", "Switch on"),
    "switch_off": ("أوقفه", "Switch off"),
    "test": ("أرسل تجربة", "Send a test"),
    "rotate": ("جدّد سر التوقيع", "Rotate the signing secret"),
    "edit_title": ("تعديل العنوان", "Edit the endpoint"),
    # Deliveries.
    "deliveries": ("الرسائل", "Deliveries"),
    "no_deliveries": (
        "لم تُرسل رسالة بعد. أرسل تجربة لترى أنها تصل.",
        "Nothing was sent yet. Send a test to see that it arrives.",
    ),
    "pending": ("في الانتظار", "waiting"),
    "succeeded": ("وصلت", "arrived"),
    "failed": ("تعذرت", "failed"),
    "cancelled": ("أُلغيت", "cancelled"),
    "retry": ("أعد الإرسال", "Send again"),
    "next_attempt": ("المحاولة التالية", "Next attempt"),
    "attempts": Counted(
        ("لا محاولات", "محاولة واحدة", "محاولتان", "{n} محاولات", "{n} محاولة", "{n} محاولة"),
        ("{n} attempt", "{n} attempts"),
    ),
    "attempt_at": ("الوقت", "Time"),
    "http_status": ("الإجابة", "Answer"),
    "duration": ("المدة", "Duration"),
    "milliseconds": ("{n} مللي ثانية", "{n} ms"),
    "answer_text": ("ما أجاب به نظامك", "What your system answered"),
    "error": ("الخطأ", "Error"),
    # Shown once.
    "shown_title": ("انسخ سر التوقيع الآن", "Copy the signing secret now"),
    "shown_lead": (
        "به يتحقق نظامك أن الرسالة منا. لن يظهر مرة أخرى.",
        "Your system checks with it that a message is from us. It will not be shown again.",
    ),
    "rotated_note": (
        "تُوقّع الرسائل بالسر القديم أيضًا ٢٤ ساعة، فبدّله في نظامك قبل ذلك.",
        "Messages are signed with the old one too for 24 hours; replace it in your system before.",
    ),
    "done": ("نسخته، تابع", "I have it, go on"),
    "rotate_title": ("تجديد سر التوقيع؟", "Rotate the signing secret?"),
    "rotate_lost": (
        "يظهر سر جديد مرة واحدة، وينتهي القديم بعد ٢٤ ساعة.",
        "A new secret is shown once, and the old one ends after 24 hours.",
    ),
    "off_title": ("إيقاف العنوان؟", "Switch the endpoint off?"),
    "off_lost": (
        "تُلغى الرسائل التي تنتظر، ولا تُرسل أحداث ما دام متوقفًا.",
        "What is waiting is cancelled, and no events are sent while it is off.",
    ),
    "remove_title": ("حذف العنوان؟", "Remove the endpoint?"),
    "remove_lost": (
        "تُحذف رسائله كلها وسر توقيعه، ولا يعلم نظامك بشيء بعدها.",
        "All its deliveries and its signing secret go, and your system is told nothing more.",
    ),
    "remove_action": ("حذف العنوان", "Remove the endpoint"),
    "said_saved": ("حُفظ العنوان.", "The endpoint is saved."),
    "said_test": (
        "أُرسلت تجربة. تظهر نتيجتها أدناه بعد لحظات.",
        "A test is on its way. Its result shows below in a moment.",
    ),
    "said_retry": ("تُرسل الرسالة من جديد.", "The message is being sent again."),
    "said_on": ("العنوان يعمل.", "The endpoint is on."),
    "said_off": ("أُوقف العنوان.", "The endpoint is off."),
    "said_removed": ("حُذف العنوان.", "The endpoint was removed."),
    # What happened, by type of event.
    "knowledge_source.created": ("أُنشئ مصدر", "a source was created"),
    "knowledge_source.updated": ("عُدّل مصدر", "a source was changed"),
    "knowledge_source.deleted": ("حُذف مصدر", "a source was deleted"),
    "knowledge_source.sync_failed": ("تعذر الجلب من رابط بيانات", "a feed could not be fetched"),
    "knowledge_source.sync_recovered": ("عاد الجلب من رابط بيانات", "a feed works again"),
    "knowledge_source.sync_succeeded": ("جلبٌ غيّر المحتوى", "a fetch changed a content"),
    "webhook_endpoint.disabled": ("أُوقف عنوان إشعارات", "an endpoint was switched off"),
    "webhook_endpoint.test": ("تجربة", "a test"),
}
