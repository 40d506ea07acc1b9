"""Codes of projects, members and keys."""

from apps.kernel.errors import define

INVALID_API_KEY = define(
    "invalid_api_key",
    401,
    "This needs a valid API key in the header 'Authorization: Bearer <key>'.",
    "يلزم مفتاح API صالح في الترويسة 'Authorization: Bearer <key>'.",
)
API_KEY_NOT_FOUND = define(
    "api_key_not_found",
    404,
    "There is no API key with this id in the project.",
    "لا يوجد في المشروع مفتاح API بهذا المعرّف.",
)
KEY_STRONGER_THAN_OWN = define(
    "key_stronger_than_own",
    403,
    "A key cannot give more than it has: choose scopes, sources and an expiry within those of the key you use.",
    "لا يمنح المفتاح أكثر مما يملك: اختر صلاحيات ومصادر وتاريخ انتهاء ضمن ما للمفتاح الذي تستخدمه.",
)
EXPIRY_IN_THE_PAST = define(
    "expiry_in_the_past",
    400,
    "The expiry lies in the past. Give a later time, or leave it out for a key that does not expire.",
    "تاريخ الانتهاء في الماضي. اختر وقتًا لاحقًا أو اتركه فارغًا لمفتاح بلا انتهاء.",
)
TOO_MANY_PROJECTS = define(
    "too_many_projects",
    409,
    "You own {limit} projects already. Delete one you no longer need, or hand it to somebody else.",
    "لديك {limit} مشروع بالفعل. احذف مشروعًا لا تحتاج إليه أو انقل ملكيته إلى غيرك.",
)
MEMBER_NOT_FOUND = define(
    "member_not_found",
    404,
    "There is no such member in the project.",
    "لا يوجد هذا العضو في المشروع.",
)
LAST_OWNER = define(
    "last_owner",
    409,
    "This is the project's only owner. Make somebody else an owner first.",
    "هذا هو المالك الوحيد للمشروع. اجعل عضوًا آخر مالكًا أولًا.",
)
ALREADY_MEMBER = define(
    "already_member",
    409,
    "The person with this address is a member of the project already.",
    "صاحب هذا البريد عضو في المشروع بالفعل.",
)
ALREADY_INVITED = define(
    "already_invited",
    409,
    "This address is invited already. Send the invitation again, or withdraw it first.",
    "هذا البريد مدعو بالفعل. أرسل الدعوة من جديد أو اسحبها أولًا.",
)
INVITATION_NOT_FOUND = define(
    "invitation_not_found",
    404,
    "There is no such invitation: it was used, withdrawn, or has expired.",
    "لا توجد هذه الدعوة: استُخدمت أو سُحبت أو انتهت مدتها.",
)
INVITATION_OF_ANOTHER = define(
    "invitation_of_another",
    403,
    "The invitation is for another address. Sign in with the address that was invited.",
    "الدعوة لبريد آخر. ادخل بالبريد المدعو.",
)
INVITATION_JUST_SENT = define(
    "invitation_just_sent",
    429,
    "The invitation was sent a moment ago. Wait {minutes} minutes before you send it again.",
    "أُرسلت الدعوة قبل قليل. انتظر {minutes} دقائق قبل إرسالها من جديد.",
)
TOO_MANY_MEMBERS = define(
    "too_many_members",
    409,
    "A project holds at most {limit} members and open invitations. Remove some first.",
    "لا يتسع المشروع لأكثر من {limit} عضو ودعوة مفتوحة. احذف بعضها أولًا.",
)
# Keys name sources before knowledge knows of them, and both must answer alike for an unknown one.
KNOWLEDGE_SOURCE_NOT_FOUND = define(
    "knowledge_source_not_found",
    404,
    "There is no knowledge source with this id in the project.",
    "لا يوجد في المشروع مصدر معرفة بهذا المعرّف.",
)
