"""Words of the pages of agent clients and their sessions."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("برامج الوكلاء", "Agent clients"),
    "lead": (
        "برامج تعمل باسم أشخاص، كمساعد على الحاسوب أو تطبيق محادثة. يسجل كل شخص دخوله، ويرى ما سمحت به فقط.",
        "Programs that act for people, such as an assistant on a computer or a chat app. Each person logs in, and "
        "they see only what you allow.",
    ),
    "new": ("برنامج جديد", "New client"),
    "empty_title": ("لا برامج بعد", "No clients yet"),
    "empty": (
        "أضف برنامجًا ليسجل الناس دخولهم منه إلى وكلائك.",
        "Add a program, so that people can log in to your agents from it.",
    ),
    "name": ("الاسم", "Name"),
    "name_help": ("يراه من يُطلب منه السماح بالدخول.", "Whoever is asked to let it in sees this."),
    "app_id": ("الاسم العام", "Public name"),
    "app_id_help": (
        "يعرّف به البرنامج نفسه. فريد في الخدمة كلها، ولا يتغير بعد الإنشاء.",
        "The program calls itself this. Unique in the whole service, and it stays as it is.",
    ),
    "authorize_url": ("صفحة الموافقة", "Consent page"),
    "authorize_url_help": (
        "عنوان في نظامك يوافق فيه المستخدم. اتركه فارغًا لصفحة مورد، ويوافق فيها أعضاء المشروع.",
        "An address of your system where a person agrees. Leave empty for our page, where members of the project do.",
    ),
    "our_page": ("صفحة مورد", "the page of Mawrid"),
    "routes": ("المسارات المسموح بها", "Allowed routes"),
    "routes_help": ("الوكلاء الذين يصل إليهم البرنامج.", "The agents that the program may reach."),
    "no_routes": (
        "لا مسارات بعد. أعطِ وكيلًا مسارًا في صفحته أولًا.",
        "There are no routes yet. Give an agent a route on its page first.",
    ),
    "none": ("لا شيء", "none"),
    "state": ("الحالة", "State"),
    "on": ("يعمل", "on"),
    "off": ("متوقف", "off"),
    "switched_on": ("يعمل: جلساته مقبولة", "On: its sessions are accepted"),
    "created": ("أُضيف", "Added"),
    "edit_title": ("تعديل البرنامج", "Edit the client"),
    "rotate": ("جدّد التصريح", "Rotate the token"),
    "sessions": ("الجلسات", "Sessions"),
    "no_sessions": ("لم يدخل أحد من هذا البرنامج بعد.", "Nobody has logged in with this client yet."),
    "person": ("باسم", "On behalf of"),
    "device": ("الجهاز", "Device"),
    "last_used": ("آخر استخدام", "Last used"),
    "expires": ("تنتهي", "Ends"),
    "active": ("نشطة", "active"),
    "expired": ("انتهت", "ended"),
    "revoked": ("أُنهيت", "revoked"),
    "because_agent": ("سجّل الخروج", "logged out"),
    "because_backend": ("أنهاها نظامك", "ended by your system"),
    "because_project": ("أنهاها أحد الأعضاء", "ended by a member"),
    "because_token_reused": ("استُخدم تصريح مرتين", "a token was used twice"),
    "because_member_left": ("غادر المشروع من سمح بها", "who let it in left the project"),
    "because_code_reused": ("استُخدم رمز الدخول مرتين", "a login's code was used twice"),
    "end": ("أنهِها", "End it"),
    # Shown once.
    "shown_title": ("انسخ التصريح والسر الآن", "Copy both now"),
    "shown_lead": (
        "لنظامك الخلفي فقط، لا للبرنامج على أجهزة الناس. لن يظهرا مرة أخرى.",
        "For your back end only, never for the program on people's devices. They will not be shown again.",
    ),
    "client_token": ("تصريح البرنامج", "Client token"),
    "callback_secret": ("سر توقيع الردود", "Secret that signs callbacks"),
    "done": ("نسختهما، تابع", "I have them, go on"),
    "rotate_title": ("تجديد تصريح «{name}»؟", "Rotate the token of “{name}”?"),
    "rotate_lost": (
        "يتوقف التصريح القديم وسر الردود القديم فورًا. جلسات الناس تبقى.",
        "The old token and the old callback secret stop at once. People's sessions stay.",
    ),
    "remove_title": ("حذف «{name}»؟", "Remove “{name}”?"),
    "remove_lost": (
        "تنتهي كل جلساته فورًا، وتُحذف أعماله.",
        "All its sessions end at once, and its jobs go.",
    ),
    "remove_action": ("حذف البرنامج", "Remove the client"),
    "end_title": ("إنهاء جلسة {person}؟", "End the session of {person}?"),
    "end_lost": (
        "يُرفض طلبها التالي، ويحتاج الشخص إلى دخول جديد.",
        "Its next request is refused, and the person has to log in again.",
    ),
    "said_saved": ("حُفظ البرنامج.", "The client is saved."),
    "said_removed": ("حُذف البرنامج {name}.", "The client {name} was removed."),
    "said_ended": ("أُنهيت الجلسة.", "The session was ended."),
}
