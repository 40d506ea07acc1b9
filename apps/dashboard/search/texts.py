"""Words of the search bench and of the questions that are kept there."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("مختبر البحث", "Search bench"),
    "lead": (
        "اكتب السؤال كما يكتبه عملاؤك، وشاهد ما الذي سيجده وكلاؤك. لا يُحسب ما تجربه هنا ضمن أسئلة العملاء.",
        "Ask as your customers type, and see what your agents will find. What you try here is not counted as asked.",
    ),
    "query": ("السؤال", "Question"),
    "placeholder": ("كم سعر صندق البخور", "كم سعر صندق البخور"),
    "ask": ("ابحث", "Search"),
    "too_long": ("السؤال أطول من ٢٬٠٠٠ حرف. اختصره.", "The question is longer than 2,000 characters. Shorten it."),
    "where": ("أين نبحث", "Where to search"),
    "everywhere": ("في كل المصادر", "In all sources"),
    "in_some": Counted(
        ("", "في مصدر واحد", "في مصدرين", "في {n} مصادر", "في {n} مصدرًا", "في {n} مصدر"),
        ("In {n} source", "In {n} sources"),
    ),
    "where_help": ("لا تختر شيئًا لتبحث في كل المصادر.", "Choose nothing to search all sources."),
    "where_more": (
        "تظهر هنا أحدث مئة مصدر. لغيرها افتح المصدر واضغط «جرّب البحث فيه».",
        "The newest hundred are shown. For others, open the source and press “Try a search in it”.",
    ),
    "no_sources_title": ("لا شيء يُبحث فيه بعد", "There is nothing to search yet"),
    "no_sources": (
        "أضف قائمة أسعار أو نصًا، ثم جرّب هنا ما يسأل عنه عملاؤك.",
        "Add a price list or a text, then try here what your customers ask for.",
    ),
    "add_source": ("أضف مصدرًا", "Add a source"),
    # What the question was read as.
    "words": ("كيف قُرئ السؤال", "How the question was read"),
    "exactly": ("كما هي تمامًا", "exactly as typed"),
    "allowed": Counted(
        (
            "كما هي تمامًا",
            "يُقبل فرق حرف واحد",
            "يُقبل فرق حرفين",
            "يُقبل فرق {n} أحرف",
            "يُقبل فرق {n} حرفًا",
            "يُقبل فرق {n} حرف",
        ),
        ("{n} letter may differ", "{n} letters may differ"),
    ),
    "ignored": ("لم تُحتسب", "Did not count"),
    "ignored_help": (
        "كلمات شائعة لا تميّز شيئًا ما دامت معها كلمات أخرى.",
        "Common words that tell nothing apart while other words remain.",
    ),
    "no_words": ("لا كلمة في السؤال يمكن البحث عنها.", "There is no word in the question to search for."),
    # Hits.
    "hits": Counted(
        ("لا نتائج", "نتيجة واحدة", "نتيجتان", "{n} نتائج", "{n} نتيجة", "{n} نتيجة"),
        ("{n} hit", "{n} hits"),
    ),
    "full_match": ("كل الكلمات", "all words"),
    "some_words": ("{matched} من {all} كلمات", "{matched} of {all} words"),
    "position": ("سطر {n}", "line {n}"),
    "way_spelling": (
        "{word}: حروف تُعد سواء ({found})",
        "{word}: letters that count as equal ({found})",
    ),
    "way_form": ("{word}: صيغة أخرى للكلمة ({found})", "{word}: another form of the word ({found})"),
    "way_edits": ("{word}: وُجدت {found} بفرق {edits}", "{word}: found {found}, {edits} apart"),
    "way_form_and_edits": (
        "{word}: وُجدت {found}، صيغة أخرى بفرق {edits}",
        "{word}: found {found}, another form, {edits} apart",
    ),
    "way_across": (
        "{word}: تُنطق مثل {found} بحروف أخرى",
        "{word}: sounds like {found} in the other script",
    ),
    "way_joined": ("{word}: مكتوبة ضمن {found}", "{word}: written as part of {found}"),
    "way_split": ("{word}: مكتوبة كلمتين ({found})", "{word}: written as two words ({found})"),
    "way_amount": ("{word}: المقدار نفسه ({found})", "{word}: the same amount ({found})"),
    "letters": Counted(
        ("لا شيء", "حرف واحد", "حرفين", "{n} أحرف", "{n} حرفًا", "{n} حرف"),
        ("{n} letter", "{n} letters"),
    ),
    "missing": ("ليس في هذا السطر:", "Not in this line:"),
    "keep": ("هذا هو الصحيح، احفظ السؤال", "This is right, keep the question"),
    "kept": (
        "حُفظ السؤال. سنخبرك إن لم يعد يجد هذا.",
        "The question is kept. You will see when it does not find this any more.",
    ),
    # A miss.
    "miss": ("لم يُعثر على شيء", "Nothing found"),
    "agent_is_told": ("ما يُقال للوكيل", "What the agent is told"),
    "if_missed": ("وإن لم يُعثر على شيء في هذه المصادر", "When nothing is found in these sources"),
    "is_complete": ("دليل", "Evidence"),
    "is_evidence": (
        "يجوز للوكيل أن يقول إنه غير متوفر: كل ما بُحث فيه قوائم كاملة.",
        "The agent may say that you do not have it: all that was searched is complete.",
    ),
    "is_no_evidence": (
        "لن يقول الوكيل إنه غير متوفر، للأسباب الآتية:",
        "The agent will not deny it, for these reasons:",
    ),
    "reason_source_incomplete": ("المصدر غير معلَّم بأنه كامل", "The source is not marked as complete"),
    "reason_sync_failing": ("يتعذر جلب المصدر الآن", "The source cannot be fetched at present"),
    "reason_never_synced": ("لم يُجلب المصدر بعد", "The source was never fetched"),
    "reason_items_capped": ("قُطعت القائمة عند الحد الأقصى للأسطر", "The list was cut at the most lines"),
    "reason_source_warning": ("على المصدر تنبيه", "There is a warning on the source"),
    "reason_only_stop_words": ("كل كلمات السؤال شائعة", "All words of the question are common ones"),
    "reason_no_words": ("لا كلمة في السؤال", "The question has no word"),
    "reason_no_sources": ("لا مصادر", "There are no sources"),
    "reasons_more": Counted(
        ("", "وسبب آخر", "وسببان آخران", "و{n} أسباب أخرى", "و{n} سببًا آخر", "و{n} سبب آخر"),
        ("and {n} more reason", "and {n} more reasons"),
    ),
    "keep_silent": ("الصحيح ألا يُعثر على شيء، احفظ السؤال", "Finding nothing is right, keep the question"),
    # Kept questions.
    "examples": ("الأسئلة المحفوظة", "Kept questions"),
    "examples_lead": (
        "أسئلة تعرف جوابها. افحصها بعد كل تعديل لتعرف إن ضاع شيء.",
        "Questions whose answer you know. Check them after each edit, and see whether something got lost.",
    ),
    "examples_empty_title": ("لا أسئلة محفوظة بعد", "No questions are kept yet"),
    "examples_empty": (
        "ابحث عن شيء، واضغط «هذا هو الصحيح» عند السطر الذي يجب أن يجده السؤال.",
        "Search for something, and press “This is right” at the line that the question should find.",
    ),
    "go_to_bench": ("إلى مختبر البحث", "To the search bench"),
    "check_all": ("افحصها كلها", "Check them all"),
    "see_all": ("اعرضها وافحصها", "See and check them"),
    "all_good": ("كل الأسئلة تجد ما يجب.", "All questions find what they should."),
    "some_bad": Counted(
        (
            "",
            "سؤال واحد لم يعد يجد ما يجب.",
            "سؤالان لم يعودا يجدان ما يجب.",
            "{n} أسئلة لم تعد تجد ما يجب.",
            "{n} سؤالًا لم تعد تجد ما يجب.",
            "{n} سؤال لم تعد تجد ما يجب.",
        ),
        ("{n} question does not find what it should.", "{n} questions do not find what they should."),
    ),
    "expected": ("ما يجب أن يُعثر عليه", "What it should find"),
    "expected_nothing": ("لا شيء", "Nothing"),
    "outcome": ("النتيجة الآن", "What it finds now"),
    "source_is_gone": ("حُذف المصدر", "the source is deleted"),
    "state_found": ("وُجد", "Found"),
    "state_changed": ("وُجد بعد تعديل", "Found, edited"),
    "state_lost": ("ضاع", "Lost"),
    "state_silent": ("لا شيء، وهو الصحيح", "Nothing, which is right"),
    "state_noisy": ("وُجد شيء", "Something is found"),
    "at_place": ("في المرتبة {n}", "at place {n}"),
    "drop_title": ("حذف السؤال المحفوظ؟", "Remove the kept question?"),
    "drop_lost": ("السؤال «{question}» وما يجب أن يجده", "The question “{question}” and what it should find"),
    "drop_now": ("احذف السؤال", "Remove the question"),
    "dropped": ("حُذف السؤال.", "The question is removed."),
    # Missed questions.
    "missed": ("أكثر ما لم يُعثر عليه هذا الأسبوع", "Most often not found this week"),
    "missed_help": (
        "أسئلة وصلت من وكلائك وبرامجك. اضغط سؤالًا لتعرف لماذا.",
        "Questions that came from your agents and programs. Press one to see why.",
    ),
    "missed_times": Counted(
        ("", "مرة", "مرتين", "{n} مرات", "{n} مرة", "{n} مرة"),
        ("once", "{n} times"),
    ),
    "missed_none": ("لا سؤال بلا جواب هذا الأسبوع.", "No question went without an answer this week."),
}
