"""Codes of knowledge sources, their content and their uploads."""

from apps.kernel.errors import define
from apps.knowledge.transform.errors import SENTENCES

EMPTY_CONTENT = define(
    "empty_content",
    400,
    "The content holds nothing that could be found. Give at least one line with text.",
    "المحتوى خالٍ مما يمكن البحث فيه. أضف سطرًا واحدًا على الأقل فيه نص.",
)
LINE_TOO_LONG = define(
    "line_too_long",
    400,
    "Line {line} makes an item of more than {limit} characters. Shorten it or split it.",
    "السطر {line} يكوّن عنصرًا أطول من {limit} محرف. اختصره أو قسّمه.",
)
CSV_UNCLOSED_QUOTE = define(
    "csv_unclosed_quote",
    400,
    "The record that starts on line {line} has a quotation mark that is never closed.",
    "السجل الذي يبدأ في السطر {line} فيه علامة اقتباس لم تُغلق.",
)
CSV_CELL_TOO_LONG = define(
    "csv_cell_too_long",
    400,
    "The record that starts on line {line} has a cell that is too long; a quotation mark may be missing.",
    "السجل الذي يبدأ في السطر {line} فيه خلية أطول من المسموح، وربما تنقصه علامة اقتباس.",
)
CONFIG_NOT_TAKEN = define(
    "config_not_taken",
    400,
    "A source of this kind takes no config. Leave it out or give null.",
    "هذا النوع من المصادر لا يقبل config. احذفه أو اجعله null.",
)
KIND_FIXED = define(
    "kind_fixed",
    400,
    "The kind of a source never changes. Create a new source instead.",
    "نوع المصدر لا يتغير. أنشئ مصدرًا جديدًا بدلًا من ذلك.",
)
UNSUPPORTED_FILE_TYPE = define(
    "unsupported_file_type",
    400,
    "Only plain text and CSV files can be uploaded, as text/plain or text/csv, or named .txt or .csv.",
    "يمكن رفع ملفات النص العادي وCSV فقط، بنوع text/plain أو text/csv أو باسم ينتهي بـ .txt أو .csv.",
)
FILE_NOT_TEXT = define(
    "file_not_text",
    400,
    "This file is not text. Save the sheet or document as CSV or plain text and upload that.",
    "هذا الملف ليس نصًا. احفظ الجدول أو المستند بصيغة CSV أو نص عادي ثم ارفعه.",
)
UNKNOWN_ENCODING = define(
    "unknown_encoding",
    400,
    "The encoding of this file is not UTF-8, UTF-16 or Windows-1256. Save it as UTF-8 and upload it again.",
    "ترميز هذا الملف ليس UTF-8 ولا UTF-16 ولا Windows-1256. احفظه بترميز UTF-8 ثم ارفعه ثانية.",
)
CONTENT_NOT_TAKEN = define(
    "content_not_taken",
    400,
    "The content of an API source comes from its feed. Leave it out and give config.url.",
    "محتوى مصدر API يأتي من رابط بياناته. لا ترسل content، واذكر العنوان في config.url.",
)
HEADER_NEEDS_SECRET = define(
    "header_needs_secret",
    400,
    "Only Accept and Accept-Language may hold plain text. Put this value into a secret and name it like "
    "{{{{secret.NAME}}}}.",
    "لا يُقبل النص الصريح إلا في Accept وAccept-Language. احفظ هذه القيمة في سر وسمّه هكذا {{{{secret.NAME}}}}.",
)
NOT_AN_API_SOURCE = define(
    "not_an_api_source",
    400,
    "Only sources of the kind api can be synced.",
    "لا يمكن مزامنة إلا المصادر من نوع api.",
)
REVISION_NOT_FOUND = define(
    "revision_not_found",
    404,
    "There is no content under this revision, or it is not kept any more.",
    "لا يوجد محتوى بهذه المراجعة، أو لم يعد محفوظًا.",
)
SAMPLE_NOT_FOUND = define(
    "sample_not_found",
    404,
    "This sample of the feed is not kept any more. Fetch one again.",
    "لم تعد هذه العينة من رابط البيانات محفوظة. اجلب عينة أخرى.",
)
SEARCH_EXAMPLE_NOT_FOUND = define(
    "search_example_not_found",
    404,
    "There is no such saved question in the project.",
    "لا يوجد في المشروع سؤال محفوظ كهذا.",
)
TOO_MANY_SEARCH_EXAMPLES = define(
    "too_many_search_examples",
    409,
    "The project keeps {limit} questions, which is the most. Remove one that is not needed.",
    "بلغ المشروع الحد الأقصى من الأسئلة المحفوظة وهو {limit}. احذف ما لا تحتاجه منها.",
)
SOURCE_IN_USE = define(
    "source_in_use",
    409,
    "The source is used by: {users}. Take it out there first, or delete with ?detach=true.",
    "المصدر مستخدم لدى: {users}. أزله منها أولًا، أو احذفه مع ?detach=true.",
)

# A preview refuses a sample as the sync would: its sentences are the transform's.
for _code in ("items_path_missing", "empty_result", "transform_error"):
    define(_code, 400, SENTENCES[_code].en, SENTENCES[_code].ar)
