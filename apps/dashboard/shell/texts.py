"""Words of the frame around every page, and of what all pages share."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "product": ("مورد", "Mawrid"),
    "tagline": (
        "معرفة منشأتك، يجدها وكلاؤك كما يكتب الناس العربية فعلًا.",
        "Facts of your business, found the way people really type Arabic.",
    ),
    "other_language": ("English", "العربية"),
    "skip": ("انتقل إلى المحتوى", "Skip to the content"),
    "main_navigation": ("التنقل الرئيسي", "Main navigation"),
    "quick_navigation": ("تنقل سريع", "Quick navigation"),
    "menu": ("القائمة", "Menu"),
    "project": ("المشروع", "Project"),
    "your_projects": ("مشاريعك", "Your projects"),
    "new_project": ("مشروع جديد", "New project"),
    "account": ("حسابك", "Your account"),
    "sign_in": ("دخول", "Sign in"),
    "sign_out": ("خروج", "Sign out"),
    "sign_up": ("إنشاء حساب", "Sign up"),
    "reference": ("مرجع الواجهة البرمجية", "API reference"),
    "mailbox": ("البريد الصادر", "Outgoing mail"),
    # Groups and entries of the navigation.
    "group_knowledge": ("المعرفة", "Knowledge"),
    "group_agents": ("الوكلاء", "Agents"),
    "group_project": ("المشروع", "Project"),
    "nav_overview": ("نظرة عامة", "Overview"),
    "nav_sources": ("المصادر", "Sources"),
    "nav_documents": ("الوثائق", "Documents"),
    "nav_search": ("مختبر البحث", "Search bench"),
    "nav_agents": ("الوكلاء", "Agents"),
    "nav_agent_clients": ("برامج الوكلاء", "Agent clients"),
    "nav_secrets": ("الأسرار", "Secrets"),
    "nav_webhooks": ("إشعارات Webhook", "Webhooks"),
    "nav_api_keys": ("مفاتيح API", "API keys"),
    "nav_members": ("الأعضاء", "Members"),
    "nav_audit": ("سجل التدقيق", "Audit log"),
    "nav_settings": ("إعدادات المشروع", "Project settings"),
    # Roles.
    "role_owner": ("مالك", "Owner"),
    "role_editor": ("محرر", "Editor"),
    "role_viewer": ("مشاهد", "Viewer"),
    # What forms and lists share.
    "save": ("حفظ", "Save"),
    "cancel": ("إلغاء", "Cancel"),
    "back": ("رجوع", "Back"),
    "remove": ("حذف", "Remove"),
    "edit": ("تعديل", "Edit"),
    "search": ("بحث", "Search"),
    "optional": ("اختياري", "optional"),
    "actions": ("إجراءات", "Actions"),
    "older": ("الأقدم", "Older"),
    "newest": ("الأحدث", "Newest"),
    "pages": ("صفحات القائمة", "Pages of the list"),
    "comma": ("،", ","),
    "copy": ("نسخ", "Copy"),
    "copied": ("نُسخ", "Copied"),
    "form_has_errors": ("لم يُحفظ شيء. صحّح ما يلي:", "Nothing was saved. Correct this:"),
    "what_is_lost": ("ما الذي ستفقده", "What is lost"),
    "cannot_be_undone": ("لا يمكن التراجع عن هذا.", "This cannot be undone."),
    "you": ("أنت", "you"),
    # Errors.
    "not_found_title": ("لا توجد صفحة هنا", "There is no page here"),
    "not_found": (
        "ربما حُذف ما تبحث عنه، أو أنك لست عضوًا في مشروعه. تحقق من العنوان أو عد إلى مشاريعك.",
        "It may have been removed, or you are not a member of its project. Check the address or go to your projects.",
    ),
    "forbidden_title": ("دورك لا يسمح بهذا", "Your role does not allow this"),
    "forbidden": (
        "دورك في المشروع «{role}»، وهذا يحتاج إلى «{least}». اطلب من مالك المشروع تغيير دورك.",
        "Your role in the project is “{role}”, this needs “{least}”. Ask an owner of the project to change your role.",
    ),
    "refused_title": ("تعذر هذا", "This did not work"),
    "refused": (
        "لا يُسمح بهذا من هنا. عد إلى الصفحة الأولى وأعد المحاولة منها.",
        "This is not allowed from here. Go to the first page and try again from there.",
    ),
    "method_title": ("لا يمكن فتح هذا العنوان هكذا", "This address cannot be opened like this"),
    "method": ("عد إلى الصفحة السابقة وأعد المحاولة منها.", "Go back to the page before and try from there."),
    "csrf_title": ("انتهت صلاحية النموذج", "The form has expired"),
    "csrf": (
        "لم يُرسل النموذج من هذه الصفحة، أو مضى عليه وقت طويل. عد إليها وحدّثها ثم أعد الإرسال.",
        "The form was not sent from this page, or it was open for too long. Go back, reload the page, send it again.",
    ),
    "too_large_title": ("ما أرسلته كبير جدًا", "What you sent is too large"),
    "too_large": (
        "أكبر محتوى أو ملف يُقبل خمسة ميجابايت، ولم يُحفظ شيء. عد إلى الصفحة السابقة وقسّمه إلى مصدرين أو أكثر.",
        "The largest content or file is five MiB, and nothing was saved. Go back and split it into two or more sources.",
    ),
    "malformed_title": ("تعذر فهم ما أُرسل", "What was sent could not be understood"),
    "malformed": (
        "لم يُحفظ شيء. عد إلى الصفحة السابقة وحدّثها ثم أعد المحاولة.",
        "Nothing was saved. Go back to the page before, reload it and try again.",
    ),
    "broken_title": ("حدث خطأ من جهتنا", "Something went wrong on our side"),
    "broken": (
        "أعد المحاولة بعد قليل، وإن تكرر فأخبرنا برقم الطلب: {request_id}",
        "Try again in a moment; if it stays, tell us the request id: {request_id}",
    ),
    "first_page": ("الصفحة الأولى", "First page"),
    # Ages.
    "now": ("الآن", "just now"),
    "never": ("لم يحدث بعد", "never"),
    "minutes_ago": Counted(
        ("الآن", "قبل دقيقة", "قبل دقيقتين", "قبل {n} دقائق", "قبل {n} دقيقة", "قبل {n} دقيقة"),
        ("{n} minute ago", "{n} minutes ago"),
    ),
    "hours_ago": Counted(
        ("الآن", "قبل ساعة", "قبل ساعتين", "قبل {n} ساعات", "قبل {n} ساعة", "قبل {n} ساعة"),
        ("{n} hour ago", "{n} hours ago"),
    ),
    "days_ago": Counted(
        ("اليوم", "أمس", "قبل يومين", "قبل {n} أيام", "قبل {n} يومًا", "قبل {n} يوم"),
        ("yesterday", "{n} days ago"),
    ),
    "in_minutes": Counted(
        ("الآن", "بعد دقيقة", "بعد دقيقتين", "بعد {n} دقائق", "بعد {n} دقيقة", "بعد {n} دقيقة"),
        ("in {n} minute", "in {n} minutes"),
    ),
    "in_hours": Counted(
        ("الآن", "بعد ساعة", "بعد ساعتين", "بعد {n} ساعات", "بعد {n} ساعة", "بعد {n} ساعة"),
        ("in {n} hour", "in {n} hours"),
    ),
    "in_days": Counted(
        ("اليوم", "غدًا", "بعد يومين", "بعد {n} أيام", "بعد {n} يومًا", "بعد {n} يوم"),
        ("tomorrow", "in {n} days"),
    ),
    "tokens": Counted(
        ("لا وحدات نصية", "وحدة نصية واحدة", "وحدتان نصيتان", "{n} وحدات نصية", "{n} وحدة نصية", "{n} وحدة نصية"),
        ("{n} token", "{n} tokens"),
    ),
    "sources": Counted(
        ("لا مصادر", "مصدر واحد", "مصدران", "{n} مصادر", "{n} مصدرًا", "{n} مصدر"),
        ("{n} source", "{n} sources"),
    ),
    "items": Counted(
        ("لا عناصر", "عنصر واحد", "عنصران", "{n} عناصر", "{n} عنصرًا", "{n} عنصر"),
        ("{n} item", "{n} items"),
    ),
}
