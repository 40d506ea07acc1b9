"""Codes of secrets, and of headers that name them."""

from apps.kernel.errors import define

SECRET_NOT_FOUND = define(
    "secret_not_found",
    404,
    "There is no secret with this id in the project.",
    "لا يوجد في المشروع سر بهذا المعرّف.",
)
SECRET_NAME_TAKEN = define(
    "secret_name_taken",
    409,
    "The project has a secret of this name already. Change that one, or choose another name.",
    "في المشروع سر بهذا الاسم. عدّله أو اختر اسمًا آخر.",
)
SECRET_NAME_INVALID = define(
    "secret_name_invalid",
    400,
    "A secret's name starts with a capital letter and holds at most 64 letters A to Z, digits and underscores.",
    "يبدأ اسم السر بحرف لاتيني كبير، ولا يزيد على 64 من الحروف الكبيرة A إلى Z والأرقام والشرطة السفلية.",
)
SECRET_VALUE_HAS_LINE_BREAK = define(
    "secret_value_has_line_break",
    400,
    "The value holds a line break, as pasted text often does at its end. Remove it.",
    "في القيمة فاصل أسطر، كما يحدث كثيرًا في آخر النص الملصق. احذفه.",
)
SECRET_VALUE_NOT_SENDABLE = define(
    "secret_value_not_sendable",
    400,
    "The value must be 1 to 4,096 visible ASCII characters, with spaces only between them, to fit into a header.",
    "يجب أن تتكون القيمة من 1 إلى 4096 محرفًا مرئيًا من ASCII، ولا تُقبل المسافات إلا بينها، كي تصلح لترويسة.",
)
SECRET_HOST_OWN = define(
    "secret_host_own",
    400,
    "This is the host of this service itself, and secrets are never sent there.",
    "هذا مضيف هذه الخدمة نفسها، ولا تُرسل الأسرار إليها.",
)
SECRET_IN_USE = define(
    "secret_in_use",
    409,
    "The secret is used by: {users}. Take it out of their headers first.",
    "السر مستخدم لدى: {users}. أزله من ترويساتها أولًا.",
)
SECRET_REFERENCE_MALFORMED = define(
    "secret_reference_malformed",
    400,
    "Double braces must name a secret exactly like {{{{secret.NAME}}}}: capital letters, digits and _.",
    "يجب أن تسمي الأقواس المزدوجة سرًا بهذا الشكل تمامًا {{{{secret.NAME}}}}، باسم من حروف كبيرة وأرقام و_.",
)
SECRET_MISSING = define(
    "secret_missing",
    400,
    "The project has no usable secret named {name}. Create it, or set its value anew.",
    "لا يوجد في المشروع سر صالح للاستخدام باسم {name}. أنشئه أو عيّن قيمته من جديد.",
)
SECRET_HOST_NOT_ALLOWED = define(
    "secret_host_not_allowed",
    400,
    "The secret {name} may not be sent to the host {host}. Add the host to the secret's allowed_hosts.",
    "لا يُسمح بإرسال السر {name} إلى المضيف {host}. أضف المضيف إلى allowed_hosts في السر.",
)
