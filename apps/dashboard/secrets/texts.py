"""Words of the pages of secrets."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("الأسرار", "Secrets"),
    "lead": (
        "كلمات المرور والتصاريح التي تطلبها روابط بياناتك. تُحفظ مختومة، ولا تُعرض بعد حفظها، ولا تُرسل إلا إلى المضيفين المسموح بهم.",
        "Passwords and tokens that your feeds need. They are kept sealed, never shown again, and sent only to the hosts "
        "you allow.",
    ),
    "new": ("سر جديد", "New secret"),
    "empty_title": ("لا أسرار بعد", "No secrets yet"),
    "empty": (
        "إذا كان رابط بيانات متجرك يطلب تصريحًا، فاحفظه هنا واذكره في ترويسات المصدر باسمه.",
        "If your shop's feed asks for a token, keep it here and name it in the headers of the source.",
    ),
    "name": ("الاسم", "Name"),
    "name_help": (
        "حروف لاتينية كبيرة وأرقام وشرطة سفلية.",
        "Capital letters, digits and underscores.",
    ),
    "value": ("القيمة", "Value"),
    "value_help": (
        "لن تظهر هذه القيمة مرة أخرى. الصقها وحدها؛ أما ما يسبقها في الترويسة فتكتبه عند المصدر.",
        "It will not be shown again. Paste it alone; what stands before it in the header goes into the source.",
    ),
    "hosts": ("المضيفون المسموح بهم", "Allowed hosts"),
    "hosts_help": (
        "اسم مضيف كامل في كل سطر. لا تُرسل القيمة إلى غيرهم.",
        "One full host name on each line. The value goes nowhere else.",
    ),
    "users": ("تستخدمه", "Used by"),
    "no_users": ("لا يستخدمه أي مصدر", "no source"),
    "last_used": ("آخر استخدام", "Last used"),
    "created": ("أُنشئ", "Created"),
    "changed": ("عُدّل", "Changed"),
    "reference": ("هكذا تذكره في ترويسة المصدر", "How a source's header names it"),
    "new_value": ("قيمة جديدة", "New value"),
    "new_value_lead": (
        "تستخدمها كل المصادر من جلبها القادم.",
        "All sources that name the secret use it from their next fetch on.",
    ),
    "set_value": ("احفظ القيمة", "Save the value"),
    "set_hosts": ("احفظ المضيفين", "Save the hosts"),
    "owners_only": (
        "تغيير القيمة أو المضيفين للمالك فقط: من يوسّع القائمة يستطيع إرسال القيمة إلى مكان آخر.",
        "Only an owner changes value or hosts: whoever widens the list could have the value sent elsewhere.",
    ),
    "said_created": ("حُفظ السر {name}.", "The secret {name} is kept."),
    "said_value": ("حُفظت القيمة الجديدة.", "The new value is kept."),
    "said_hosts": ("حُفظ المضيفون.", "The hosts are saved."),
    "said_removed": ("حُذف السر {name}.", "The secret {name} was removed."),
    "remove_title": ("حذف السر {name}؟", "Remove the secret {name}?"),
    "remove_lost": (
        "تُمحى القيمة، ولا يمكن استعادتها من هنا.",
        "The value is erased, and nothing here can bring it back.",
    ),
    "remove_action": ("حذف السر", "Remove the secret"),
}
