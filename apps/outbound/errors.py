"""The one failure of this room: a code for programs and a sentence, in two languages, that a tenant may read."""

from typing import Final, Literal, NamedTuple

Code = Literal[
    "url_refused",
    "header_refused",
    "address_refused",
    "dns_failure",
    "connection_failed",
    "tls_error",
    "timeout",
    "too_large",
    "redirect_refused",
    "http_status",
    "invalid_json",
]


class Sentence(NamedTuple):
    en: str
    ar: str


# Keyed by code, or by "code:reason" where the reason helps and gives nothing away. No sentence takes a
# parameter: what is never put in cannot leak an address, a header value or a part of an answer.
SENTENCES: Final[dict[str, Sentence]] = {
    "url_refused": Sentence("This URL cannot be used.", "لا يمكن استخدام هذا العنوان."),
    "url_refused:too_long": Sentence("The URL is longer than 2,048 characters.", "العنوان أطول من 2048 حرفًا."),
    "url_refused:characters": Sentence(
        "The URL holds characters that a URL may not hold: spaces, control or invisible characters, a backslash, "
        "quotes, braces or a broken percent escape.",
        "يحتوي العنوان على محارف لا تُقبل في العناوين: مسافات أو محارف تحكم أو محارف خفية أو شرطة عكسية أو علامات "
        "اقتباس أو أقواس معقوفة أو ترميز ناقص بعد علامة النسبة.",
    ),
    "url_refused:form": Sentence(
        "The URL must look like https://host/path.", "يجب أن يكون العنوان على الشكل https://host/path."
    ),
    "url_refused:scheme": Sentence("The URL must begin with https://.", "يجب أن يبدأ العنوان بـ https://."),
    "url_refused:userinfo": Sentence(
        "The URL may not hold a user name or password; keep credentials in secrets.",
        "لا يجوز أن يحتوي العنوان على اسم مستخدم أو كلمة مرور؛ احفظ بيانات الدخول في الأسرار.",
    ),
    "url_refused:port": Sentence("The port must be 443 or 8443.", "يجب أن يكون المنفذ 443 أو 8443."),
    "url_refused:host": Sentence("The host name is not well formed.", "اسم المضيف غير صحيح."),
    "url_refused:host_not_public": Sentence(
        "The host name is not a public internet name.", "اسم المضيف ليس اسمًا عامًا على الإنترنت."
    ),
    "url_refused:address_form": Sentence(
        "An IPv4 address must be written as four plain decimal numbers.",
        "يجب كتابة عنوان IPv4 على شكل أربعة أعداد عشرية عادية.",
    ),
    "header_refused": Sentence("A request header cannot be used.", "لا يمكن استخدام إحدى ترويسات الطلب."),
    "header_refused:name": Sentence(
        "A header name may hold letters, digits and hyphens only.",
        "لا يُقبل في اسم الترويسة إلا الحروف اللاتينية والأرقام والشرطات.",
    ),
    "header_refused:reserved": Sentence(
        "This header is set by the service and cannot be changed.",
        "هذه الترويسة تضبطها الخدمة ولا يمكن تغييرها.",
    ),
    "header_refused:repeated": Sentence("This header is given more than once.", "هذه الترويسة مذكورة أكثر من مرة."),
    "header_refused:value": Sentence(
        "A header value must be visible ASCII characters, with spaces only between them.",
        "يجب أن تتكون قيمة الترويسة من محارف ASCII مرئية، ولا تُقبل المسافات إلا بينها.",
    ),
    "header_refused:value_too_long": Sentence(
        "A header value holds at most 4,096 characters.", "لا تزيد قيمة الترويسة على 4096 حرفًا."
    ),
    "header_refused:too_many": Sentence(
        "A request takes at most 20 headers.", "لا يُقبل في الطلب أكثر من 20 ترويسة."
    ),
    "address_refused": Sentence(
        "The host does not lead to public addresses only.", "لا يؤدي اسم المضيف إلى عناوين عامة فقط."
    ),
    "dns_failure": Sentence("The host name could not be resolved.", "تعذّر العثور على عنوان لاسم المضيف."),
    "connection_failed": Sentence(
        "The server could not be reached, or its answer did not arrive whole.",
        "تعذّر الوصول إلى الخادم أو لم تصل إجابته كاملة.",
    ),
    "tls_error": Sentence("A secure connection to the server could not be made.", "تعذّر إنشاء اتصال آمن بالخادم."),
    "tls_error:expired": Sentence(
        "The server's certificate has expired or is not valid yet.", "شهادة الخادم منتهية أو لم تصبح سارية بعد."
    ),
    "tls_error:wrong_name": Sentence(
        "The server's certificate was issued for another name.", "شهادة الخادم صادرة لاسم آخر."
    ),
    "tls_error:untrusted": Sentence(
        "The server's certificate was not issued by a known authority, or its chain is incomplete.",
        "شهادة الخادم غير صادرة عن جهة معروفة أو سلسلتها ناقصة.",
    ),
    "timeout": Sentence("The server did not answer in time.", "لم يُجب الخادم في الوقت المحدد."),
    "too_large": Sentence("The answer is larger than allowed.", "الإجابة أكبر من الحجم المسموح به."),
    "redirect_refused": Sentence(
        "The server answered with a redirect, and redirects are not followed; use the final URL.",
        "أجاب الخادم بإعادة توجيه، وإعادات التوجيه لا تُتبع؛ استخدم العنوان النهائي.",
    ),
    "http_status": Sentence("The server did not answer with a success status.", "لم يُجب الخادم بحالة نجاح."),
    "invalid_json": Sentence("The answer is not valid JSON.", "الإجابة ليست بصيغة JSON صحيحة."),
    "invalid_json:coding": Sentence(
        "The answer's content coding is not identity or complete gzip.",
        "ترميز محتوى الإجابة ليس عاديًا ولا gzip مكتملًا.",
    ),
}


class OutboundError(Exception):
    """A request that was refused or failed. `status` is set when the server's final answer had begun."""

    def __init__(self, code: Code, reason: str = "", *, status: int | None = None) -> None:
        super().__init__(code, reason)
        self.code: Final = code
        self.reason: Final = reason
        self.status = status

    def message(self, locale: str = "en") -> str:
        return sentence(self.code, self.reason, locale)

    def __str__(self) -> str:
        return self.message()


class ConfigurationError(ValueError):
    """A setting that must stop the start; the text says what to change."""


def sentence(code: str, reason: str, locale: str) -> str:
    known = SENTENCES.get(f"{code}:{reason}") or SENTENCES[code]
    return known.ar if locale == "ar" else known.en
