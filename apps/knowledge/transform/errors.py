"""Why a feed gave no lines: a code of the contract and a sentence in two languages."""

from typing import Final, Literal, NamedTuple

from apps.kernel.errors import FieldError
from apps.kernel.strict_json import BEGINNING, Place

Code = Literal["invalid_json", "items_path_missing", "empty_result", "too_large", "transform_error"]


class Sentence(NamedTuple):
    en: str
    ar: str


SENTENCES: Final[dict[Code, Sentence]] = {
    "invalid_json": Sentence(
        "The answer is not valid JSON in UTF-8 or its declared charset.",
        "الإجابة ليست JSON صالحًا بترميز UTF-8 أو بالترميز المعلن.",
    ),
    "items_path_missing": Sentence(
        "The JSON has no list where items_path points.",
        "لا توجد قائمة في JSON في الموضع الذي يشير إليه items_path.",
    ),
    "empty_result": Sentence(
        "No line came out of the JSON. Check whether its fields still have the names that the transform uses.",
        "لم ينتج أي سطر من JSON. تحقق من أن حقوله ما زالت بالأسماء المستخدمة في التحويل.",
    ),
    "too_large": Sentence(
        "The resulting text is larger than 5 MiB, or has more lines or words, or longer ones, than can be found.",
        "النص الناتج أكبر من 5 ميبيبايت، أو أسطره أو كلماته أكثر أو أطول مما يمكن البحث فيه.",
    ),
    "transform_error": Sentence(
        "The line asks for too many different values of too many items. Use fewer placeholders.",
        "يطلب السطر قيمًا مختلفة كثيرة من عناصر كثيرة. استخدم حقولًا أقل.",
    ),
}


class TransformError(Exception):
    """A feed that becomes no text; its code is the code of the failed run, its place where it stops being JSON."""

    def __init__(self, code: Code, place: Place = BEGINNING) -> None:
        super().__init__(code)
        self.code: Final = code
        self.place: Final = place

    def message(self, locale: str = "en") -> str:
        sentence = SENTENCES[self.code]
        return sentence.ar if locale == "ar" else sentence.en

    def __str__(self) -> str:
        return self.message()


class TransformConfigError(ValueError):
    """A transform that cannot be saved; every fault names its field, relative to the transform."""

    def __init__(self, faults: tuple[FieldError, ...]) -> None:
        super().__init__(", ".join(f"{fault.param}: {fault.code}" for fault in faults))
        self.faults: Final = faults
