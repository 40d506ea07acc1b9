"""Codes of the agent protocol and of the objects behind it.

Agents read a code only when it is one of their protocol's, so each of those codes is entered with `wire`, and what
the service refuses in other words reaches them under the nearest of them (`apps.gateway.refusals`).
"""

from typing import Final

from apps.kernel.errors import define

# For each of our codes what the protocol calls it.
WIRE_NAMES: Final[dict[str, str]] = {}


def wire(code: str, status: int, en: str, ar: str, *, name: str | None = None) -> str:
    """Define a code that agents may see; `name` is what the protocol calls it where that is another word."""
    WIRE_NAMES[code] = name or code
    return define(code, status, en, ar)


# --- login and sessions -------------------------------------------------------------------------------------

UNAUTHORIZED: Final = wire(
    "unauthorized",
    401,
    "This needs a valid token of the right kind in the header 'Authorization: Bearer <token>'.",
    "يلزم تصريح صالح من النوع المطلوب في الترويسة 'Authorization: Bearer <token>'.",
)
INVALID_REQUEST: Final = wire(
    "invalid_request",
    400,
    "The request is not as the protocol has it. Check its fields.",
    "الطلب لا يوافق البروتوكول. تحقق من حقوله.",
)
INVALID_CLIENT: Final = wire(
    "invalid_client",
    400,
    "No agent client in use has this client_app_id. Check it, or ask the business that gave it to you.",
    "لا يوجد برنامج وكلاء قيد الاستخدام بهذا client_app_id. تحقق منه أو اسأل المنشأة التي أعطتك إياه.",
)
INVALID_GRANT: Final = wire(
    "invalid_grant",
    400,
    "The code is unknown, used or expired, or was given to another request. Log in again.",
    "الرمز مجهول أو مستخدم أو منتهي الصلاحية، أو أُعطي لطلب آخر. سجّل الدخول من جديد.",
)
# Agents forget their login on 401 alone, so a code that fails and a refresh token that fails answer differently.
REFRESH_TOKEN_REFUSED: Final = wire(
    "refresh_token_refused",
    401,
    "The refresh token is unknown, expired, used before or revoked. Log in again.",
    "تصريح التجديد مجهول أو منتهٍ أو مستخدم سابقًا أو ملغى. سجّل الدخول من جديد.",
    name="invalid_grant",
)
AUTHORIZATION_NOT_FOUND: Final = wire(
    "authorization_not_found",
    404,
    "There is no authorization with this id for this agent client.",
    "لا يوجد لبرنامج الوكلاء هذا طلب إذن بهذا المعرّف.",
)
AUTHORIZATION_PROCESSED: Final = wire(
    "authorization_processed",
    409,
    "This authorization was decided on already. The agent has to ask again.",
    "سبق البت في طلب الإذن هذا. على الوكيل أن يطلب من جديد.",
)
AUTHORIZATION_EXPIRED: Final = wire(
    "authorization_expired",
    410,
    "Nobody decided on this authorization in time. The agent has to ask again.",
    "انتهت مهلة طلب الإذن هذا دون بت. على الوكيل أن يطلب من جديد.",
)
SESSION_NOT_FOUND: Final = wire(
    "agent_session_not_found",
    404,
    "There is no agent session with this id.",
    "لا توجد جلسة وكيل بهذا المعرّف.",
)

# --- routes -------------------------------------------------------------------------------------------------

INVALID_ROUTE: Final = wire(
    "invalid_route",
    400,
    "A route starts with a small letter or digit, then come 1 to 63 small letters, digits, - and _.",
    "يبدأ المسار بحرف لاتيني صغير أو رقم، ثم من 1 إلى 63 من الحروف الصغيرة والأرقام و- و_.",
)
ROUTE_NOT_ALLOWED: Final = wire(
    "route_not_allowed",
    403,
    "This route is not open here. Ask for one that the client and the session are allowed.",
    "هذا المسار غير متاح هنا. اطلب مسارًا مسموحًا للبرنامج وللجلسة.",
)
AUDIENCE_NOT_ALLOWED: Final = wire(
    "audience_not_allowed",
    403,
    "The agent of this route is not open to the audience of this session.",
    "الوكيل في هذا المسار غير متاح لفئة جمهور هذه الجلسة.",
)
AGENT_CLIENT_DISABLED: Final = wire(
    "agent_client_disabled",
    403,
    "The agent of this route is switched off for agent clients.",
    "الوكيل في هذا المسار موقوف عن برامج الوكلاء.",
)

WORKSPACE_REQUIRED: Final = wire(
    "workspace_required",
    400,
    "This credential opens more than one workspace, or none. Name the one you mean in the header Mawrid-Workspace.",
    "يتيح هذا التصريح أكثر من مساحة عمل أو لا يتيح أيًا منها. سمِّ المقصودة في الترويسة Mawrid-Workspace.",
)

# --- turns and runs -----------------------------------------------------------------------------------------

RUN_NOT_FOUND: Final = wire(
    "agent_run_not_found",
    404,
    "This session has no open run with this id in this workspace. Start a turn and use its run_id.",
    "ليس لهذه الجلسة دور مفتوح بهذا المعرّف في مساحة العمل هذه. ابدأ دورًا جديدًا واستخدم run_id منه.",
    name="run_not_found",
)
TURN_CONFLICT: Final = wire(
    "turn_conflict",
    409,
    "This turn was started with another request. Send that one again, or use a new client_turn_id.",
    "بدأ هذا الدور بطلب آخر. أعد إرسال ذلك الطلب، أو استخدم client_turn_id جديدًا.",
)
PAGE_CONTEXT_TOO_LARGE: Final = wire(
    "page_context_too_large",
    400,
    "page_context takes more than {limit} bytes as JSON. Send less of the page.",
    "يتجاوز page_context {limit} بايت بصيغة JSON. أرسل جزءًا أصغر من الصفحة.",
)
TASK_UNSUPPORTED: Final = wire(
    "task_unsupported",
    400,
    "This service has no managed tasks. Leave task_binding out.",
    "لا توجد مهام مُدارة في هذه الخدمة. لا ترسل task_binding.",
    name="TASK_UNSUPPORTED",
)
AGENT_RUNTIME_UNAVAILABLE: Final = wire(
    "agent_runtime_unavailable",
    503,
    "The workspace cannot be served right now. Try again in a moment; if it stays, tell whoever runs the agent.",
    "لا يمكن خدمة مساحة العمل الآن. أعد المحاولة بعد قليل، وإن استمر ذلك فأخبر من يدير الوكيل.",
)
RUN_COMPLETION_CONFLICT: Final = wire(
    "run_completion_conflict",
    409,
    "This run was completed with something else. A completion can be sent again, not changed.",
    "أُنهي هذا الدور بمحتوى آخر. يمكن إعادة إرسال الإنهاء لا تغييره.",
)
ASSISTANT_MESSAGE_CONFLICT: Final = wire(
    "assistant_message_conflict",
    409,
    "This assistant_message_id ended another run of the conversation. Use a new one.",
    "أنهى assistant_message_id هذا دورًا آخر في المحادثة. استخدم معرّفًا جديدًا.",
)
TOOL_NOT_FOUND: Final = wire(
    "tool_not_found",
    404,
    "The workspace has no business tools to invoke.",
    "ليس في مساحة العمل أدوات أعمال لاستدعائها.",
)
INVOCATION_NOT_FOUND: Final = wire(
    "invocation_not_found",
    404,
    "There is no invocation with this id.",
    "لا يوجد استدعاء بهذا المعرّف.",
)
CONVERSATION_AUDIT_NOT_FOUND: Final = wire(
    "conversation_audit_not_found",
    404,
    "This service keeps no archives of conversations.",
    "لا تحفظ هذه الخدمة أرشيفات للمحادثات.",
)
SYSTEM_INFO_UNSUPPORTED: Final = wire(
    "system_info_unsupported",
    404,
    "This service has no descriptions of systems.",
    "لا تقدم هذه الخدمة أوصافًا للأنظمة.",
)

# --- knowledge by reference ---------------------------------------------------------------------------------

KNOWLEDGE_REFERENCE_INVALID: Final = wire(
    "knowledge_reference_invalid",
    400,
    "The reference or cursor is not one that this session got for this workspace and run. Search again.",
    "المرجع أو المؤشر لم يُعطَ لهذه الجلسة في مساحة العمل وهذا الدور. ابحث من جديد.",
)
KNOWLEDGE_REFERENCE_EXPIRED: Final = wire(
    "knowledge_reference_expired",
    410,
    "The reference has expired. Search again.",
    "انتهت صلاحية المرجع. ابحث من جديد.",
)
KNOWLEDGE_SCOPE_CHANGED: Final = wire(
    "knowledge_scope_changed",
    409,
    "The knowledge of this workspace was set up anew since the search. Search again.",
    "تغيّر إعداد معرفة مساحة العمل هذه منذ البحث. ابحث من جديد.",
)
KNOWLEDGE_CHANGED: Final = wire(
    "knowledge_changed",
    409,
    "What the reference leads to has changed since the search. Search again.",
    "تغيّر ما يشير إليه المرجع منذ البحث. ابحث من جديد.",
)
KNOWLEDGE_UNAVAILABLE: Final = wire(
    "knowledge_unavailable",
    503,
    "Knowledge cannot be read right now, which says nothing of what it holds. Try again in a moment.",
    "لا يمكن قراءة المعرفة الآن، وهذا لا يدل على ما فيها. أعد المحاولة بعد قليل.",
)

# --- jobs ---------------------------------------------------------------------------------------------------

REQUEST_CONFLICT: Final = wire(
    "request_conflict",
    409,
    "This request_id was used with another request. Use a new one for a new request.",
    "استُخدم request_id هذا مع طلب آخر. استخدم معرّفًا جديدًا لطلب جديد.",
)
JOB_WORKER_LOST: Final = wire(
    "job_worker_lost",
    503,
    "The workers that took the job did not come back. Send it again under a new request_id.",
    "لم يعد العاملون الذين أخذوا المهمة. أرسلها من جديد بمعرّف request_id جديد.",
)
JOB_NOT_FOUND: Final = wire(
    "job_not_found",
    404,
    "There is no job with this id for this agent client.",
    "لا توجد لبرنامج الوكلاء هذا مهمة بهذا المعرّف.",
)

# --- tools over MCP -----------------------------------------------------------------------------------------

UNKNOWN_ARGUMENT: Final = define(
    "unknown_argument",
    400,
    "The tool has no such argument. These it has: {known}.",
    "ليس للأداة وسيط بهذا الاسم. وسائطها: {known}.",
)

# --- agent clients, under /v1 -------------------------------------------------------------------------------

AGENT_CLIENT_NOT_FOUND: Final = define(
    "agent_client_not_found",
    404,
    "There is no agent client with this id in the project.",
    "لا يوجد في المشروع برنامج وكلاء بهذا المعرّف.",
)
APP_ID_TAKEN: Final = define(
    "app_id_taken",
    409,
    "This app_id is taken. Choose another one; adding the name of your business makes it your own.",
    "هذا app_id مستخدم. اختر غيره، وإضافة اسم منشأتك تجعله خاصًا بك.",
)
AUTHORIZE_URL_REFUSED: Final = define(
    "authorize_url_refused",
    400,
    "Give an https address, or http on 127.0.0.1 or [::1] with a port, without user name and fragment.",
    "أعط عنوان https، أو http على 127.0.0.1 أو [::1] مع منفذ، دون اسم مستخدم ودون ما يلي #.",
)
AGENT_CLIENT_SWITCHED_OFF: Final = define(
    "agent_client_switched_off",
    409,
    "The agent client is disabled. Enable it first: PATCH it with enabled true.",
    "برنامج الوكلاء معطل. فعّله أولًا بطلب PATCH فيه enabled بالقيمة true.",
)
TOO_MANY_AGENT_CLIENTS: Final = define(
    "too_many_agent_clients",
    409,
    "The project has {limit} agent clients, which is the most. Delete one that is not needed.",
    "بلغ المشروع الحد الأقصى من برامج الوكلاء وهو {limit}. احذف ما لا تحتاجه منها.",
)
