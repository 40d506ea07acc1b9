"""Words of signing up and in, of a person's account, and of founding projects."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    # The first page.
    "welcome_title": (
        "معرفة منشأتك، يجدها وكلاؤك كما يكتب الناس العربية فعلًا",
        "Your business’s facts, found the way people really type Arabic",
    ),
    "welcome_lead": (
        "ضع قائمة أسعارك وسياساتك مرة واحدة. يجدها وكلاء الذكاء الاصطناعي رغم الأخطاء واللهجات والأرقام بكل أشكالها، "
        "ولا يقولون «غير متوفر» إلا بدليل.",
        "Keep price lists and policies in one place. AI agents find them through slips, dialect and digits of every "
        "kind, and say “not available” only on evidence.",
    ),
    "running": ("الخدمة تعمل", "The service is running"),
    "not_ready": ("جزء من الخدمة لا يعمل", "A part of the service is down"),
    "part_ok": ("يعمل", "running"),
    "part_failing": ("متوقف", "down"),
    "database": ("قاعدة البيانات", "Database"),
    "redis": ("ريديس", "Redis"),
    "migrations": ("ترقيات الجداول", "Migrations"),
    "worker": ("العامل في الخلفية", "Background worker"),
    "description": ("وصف OpenAPI", "OpenAPI description"),
    # A new project.
    "new_project_title": ("مشروع جديد", "New project"),
    "first_project_title": ("أنشئ مشروعك الأول", "Create your first project"),
    "new_project_lead": (
        "المشروع هو مكان معرفة منشأة واحدة: مصادرها ووكلاؤها وأعضاؤها.",
        "A project is the place of one business’s knowledge: its sources, its agents and its members.",
    ),
    "project_name": ("اسم المشروع", "Name of the project"),
    "project_name_help": ("اسم منشأتك أو متجرك، مثل: متجر العود.", "The name of your business or shop."),
    "project_locale": ("لغة المشروع", "Language of the project"),
    "project_locale_help": (
        "لغة المحتوى واتجاه سطوره، ولغة ما يُقال للوكلاء. لا تغيّر لغة هذه الصفحات.",
        "The language of its content and of what agents are told. It does not change the language of these pages.",
    ),
    "locale_ar": ("العربية", "Arabic"),
    "locale_en": ("الإنجليزية", "English"),
    "create_project": ("إنشاء المشروع", "Create the project"),
    "project_created": ("أُنشئ المشروع.", "The project was created."),
    # The account.
    "account_title": ("حسابك", "Your account"),
    "email": ("البريد الإلكتروني", "E-mail"),
    "password": ("كلمة المرور", "Password"),
    # Mail that is shown instead of being sent.
    "mail_title": ("البريد الصادر", "Outgoing mail"),
    "mail_lead": (
        "هذا الجهاز بلا خادم بريد، فتظهر الرسائل هنا بدل إرسالها. لا تُفتح هذه الصفحة إلا من الجهاز نفسه.",
        "This machine has no mail server, so messages are shown here instead. Only this machine can open this page.",
    ),
    "mail_empty_title": ("لا رسائل بعد", "No messages yet"),
    "mail_empty": (
        "ستظهر هنا رسائل تأكيد الحساب والدعوات واستعادة كلمة المرور.",
        "Messages that confirm accounts, invite members and reset passwords will stand here.",
    ),
    "mail_to": ("إلى", "To"),
    # Signing in.
    "sign_in_title": ("الدخول", "Sign in"),
    "wrong_login": (
        "البريد أو كلمة المرور غير صحيحة، أو كثرت المحاولات. انتظر قليلًا ثم أعد المحاولة.",
        "E-mail or password is wrong, or there were too many attempts. Wait a moment, try again.",
    ),
}
