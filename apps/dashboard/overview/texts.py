"""Words of a project's first page."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("نظرة عامة", "Overview"),
    # How it stands, in one line.
    "all_well": ("كل شيء محدّث، ولم يتعطل شيء.", "Everything is fresh, and nothing has failed."),
    "last_sync": ("آخر مزامنة ناجحة:", "Last good sync:"),
    "last_change": ("آخر تغيير في المحتوى:", "Last change of content:"),
    "concerns": Counted(
        (
            "لا شيء يحتاج إلى نظرك",
            "أمر واحد يحتاج إلى نظرك",
            "أمران يحتاجان إلى نظرك",
            "{n} أمور تحتاج إلى نظرك",
            "{n} أمرًا يحتاج إلى نظرك",
            "{n} أمر يحتاج إلى نظرك",
        ),
        ("{n} thing needs your attention", "{n} things need your attention"),
    ),
    "look": ("انظر", "Look"),
    "more_sources": Counted(
        (
            "لا مصادر أخرى",
            "ومصدر آخر",
            "ومصدران آخران",
            "و{n} مصادر أخرى",
            "و{n} مصدرًا آخر",
            "و{n} مصدر آخر",
        ),
        ("and {n} other source", "and {n} other sources"),
    ),
    "failing": ("تعذرت مزامنة {name}", "{name} cannot be synchronised"),
    "good_copy": ("يبقى آخر محتوى جيد كما هو، وقد جُلب:", "The last good content stays in use; it is from:"),
    "unread": ("لم يُقرأ رابط البيانات {name} بعد", "The feed of {name} was not read yet"),
    "unread_text": (
        "لا يجد الوكلاء فيه شيئًا إلى أن تنجح أول مزامنة.",
        "Agents find nothing in it until the first sync succeeds.",
    ),
    "overdue": ("تأخرت مزامنة {name}", "{name} is overdue"),
    "overdue_text": (
        "مضى موعدها ولم يبدأها عامل. تأكد من أن العمّال يعملون.",
        "Its time has passed and no worker has begun. Make sure that workers are running.",
    ),
    "doubted": ("محتوى {name} يحتاج إلى مراجعة", "The content of {name} should be looked at"),
    "stopped": ("أُوقف إرسال إشعارات Webhook إلى {host}", "Webhooks to {host} were stopped"),
    "stopped_text": (
        "لأن المستقبِل لم يعد يجيب كما ينبغي. أصلحه ثم شغّله من جديد.",
        "The receiver no longer answered as it should. Mend it, then switch it on again.",
    ),
    "given_up": Counted(
        (
            "لا إشعارات Webhook فاشلة",
            "إشعار Webhook واحد لم يصل منذ أمس",
            "إشعارا Webhook لم يصلا منذ أمس",
            "{n} إشعارات Webhook لم تصل منذ أمس",
            "{n} إشعار Webhook لم يصل منذ أمس",
            "{n} إشعار Webhook لم يصل منذ أمس",
        ),
        ("{n} webhook was given up since yesterday", "{n} webhooks were given up since yesterday"),
    ),
    "given_up_text": (
        "انظر إلى محاولاتها وأعد إرسالها حين يعمل المستقبِل.",
        "Look at the attempts, and send them again once the receiver works.",
    ),
    "not_ready": ("الوكيل {name} غير جاهز", "The agent {name} is not ready"),
    # The week.
    "week": ("أسئلة هذا الأسبوع", "Questions of this week"),
    "asked": ("الأسئلة", "Questions"),
    "today": ("اليوم", "today"),
    "missed": ("لم يُعثر على شيء", "Nothing was found"),
    "day_summary": ("{day}: {asked} منها {missed} بلا نتيجة", "{day}: {asked}, {missed} of them without a hit"),
    "no_questions_title": ("لم يُسأل شيء هذا الأسبوع", "Nothing was asked this week"),
    "no_questions": (
        "ما يبحث عنه وكلاؤك يظهر هنا، وما لم يُعثر عليه أولًا.",
        "What your agents look for will stand here, first of all what was not found.",
    ),
    "try_search": ("جرّب سؤالًا", "Try a question"),
    "top_missed": ("أكثر ما لم يُعثر عليه", "Not found most often"),
    "top_missed_lead": (
        "كل سؤال هنا سطر ينقص مصادرك، أو كلمة يكتبها الناس بطريقة أخرى.",
        "Each of these is a line that your sources lack, or a word that people write another way.",
    ),
    "nothing_missed": ("وُجد جواب لكل سؤال هذا الأسبوع.", "Something was found for every question of this week."),
    "top_asked": ("أكثر ما سُئل عنه", "Asked most often"),
    "times": Counted(("لم يُسأل", "مرة واحدة", "مرتين", "{n} مرات", "{n} مرة", "{n} مرة"), ("once", "{n} times")),
    # What there is, and what it costs.
    "sources": ("المصادر", "Sources"),
    "all_tokens": ("الوحدات النصية لكل المصادر", "Tokens of all sources"),
    "cost": ("التكلفة بالوحدات النصية", "Cost in tokens"),
    "cost_lead": (
        "ما يحضر دائمًا في نص الوكيل يُدفع ثمنه مع كل رسالة. يُستحسن ألا يزيد على {advised} وحدة نصية.",
        "What always stands in an agent’s prompt is paid for with every message. At most {advised} tokens are advised.",
    ),
    "always": ("حاضر دائمًا", "Always in the prompt"),
    "per_search": ("لكل بحث حتى", "Each search up to"),
    "too_much": ("فوق المستحسن", "above the advice"),
    "no_agents": (
        "لا وكلاء بعد. حين تنشئ وكيلًا ترى هنا ما يكلفه نصه.",
        "There are no agents yet. Once you create one, what its prompt costs stands here.",
    ),
    # First steps.
    "steps": ("الخطوات الأولى", "First steps"),
    "steps_lead": (
        "من مشروع فارغ إلى وكيل يجيب من معرفتك.",
        "From an empty project to an agent that knows your facts.",
    ),
    "step_done": ("تم", "done"),
    "step_open": ("لم يتم بعد", "to do"),
    "step_source": ("أضف مصدرًا", "Add a source"),
    "step_source_text": (
        "الصق قائمة أسعارك أو سياساتك، أو اربط متجرك أو نظامك.",
        "Paste your price list or policies, or connect your shop or system.",
    ),
    "step_search": ("جرّب البحث", "Try the search"),
    "step_search_text": (
        "اكتب سؤالًا كما يكتبه عملاؤك، بأخطائه ولهجته، واحفظه مع السطر الذي يجب أن يجده.",
        "Ask something as your customers type it, with slips and dialect, and keep it with the line it should find.",
    ),
    "step_agent": ("أنشئ وكيلًا", "Create an agent"),
    "step_agent_text": (
        "اختر ما يحضر دائمًا في نصه وما يبحث فيه، ثم انشره.",
        "Choose what always stands in its prompt and what it looks things up in, then publish it.",
    ),
    "step_access": ("افتح الباب لبرامجك", "Let your programs in"),
    "step_access_text": (
        "أنشئ مفتاح API أو برنامج وكلاء ليصل برنامجك إلى المعرفة.",
        "Create an API key or an agent client, by which your program reaches the knowledge.",
    ),
    "step_people": ("ادعُ فريقك", "Invite your team"),
    "step_people_text": (
        "أعطِ من يعرف الأسعار والسياسات حق تعديلها.",
        "Give those who know prices and policies the right to change them.",
    ),
}
