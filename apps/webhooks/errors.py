"""Codes of webhook endpoints and deliveries."""

from apps.kernel.errors import define

WEBHOOK_ENDPOINT_NOT_FOUND = define(
    "webhook_endpoint_not_found",
    404,
    "There is no webhook endpoint with this id in the project.",
    "لا توجد في المشروع نقطة استقبال Webhook بهذا المعرّف.",
)
WEBHOOK_DELIVERY_NOT_FOUND = define(
    "webhook_delivery_not_found",
    404,
    "There is no webhook delivery with this id in the project.",
    "لا توجد في المشروع عملية تسليم Webhook بهذا المعرّف.",
)
WEBHOOK_ENDPOINT_DISABLED = define(
    "webhook_endpoint_disabled",
    409,
    "The endpoint is disabled. Enable it first: PATCH it with enabled true.",
    "نقطة الاستقبال معطلة. فعّلها أولًا بطلب PATCH فيه enabled بالقيمة true.",
)
TOO_MANY_WEBHOOK_ENDPOINTS = define(
    "too_many_webhook_endpoints",
    409,
    "The project has {limit} endpoints, which is the most. Delete one that is not needed.",
    "بلغ المشروع الحد الأقصى من نقاط الاستقبال وهو {limit}. احذف ما لا تحتاجه منها.",
)
