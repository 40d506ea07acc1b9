"""Words of the pages of agents: what they know, what a model is told, versions, runs and trials."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("الوكلاء", "Agents"),
    "lead": (
        "كل وكيل يجيب مما تعطيه من مصادرك. انظر ما يُقال له، وجرّبه، ثم انشره.",
        "Each agent answers from the sources that you give it. See what it is told, try it, then publish it.",
    ),
    "new": ("وكيل جديد", "New agent"),
    "empty_title": ("لا وكلاء بعد", "No agents yet"),
    "empty": (
        "أنشئ وكيلًا، وأعطه قائمة أسعارك أو سياساتك، وانظر كيف يجيب عن أسئلة عملائك.",
        "Create one, give it your price list or policies, and see how it answers what your customers ask.",
    ),
    "empty_viewer": (
        "حين ينشئ محررو المشروع وكلاء تجدهم هنا.",
        "Once editors of the project create agents, they are here.",
    ),
    "name": ("الاسم", "Name"),
    "name_help": ("يراه فريقك، مثل: مساعد المتجر.", "Your team sees it, as in: Shop assistant."),
    "state": ("الحالة", "State"),
    "ready": ("جاهز", "Ready"),
    "look": ("تحقق منه", "Look into it"),
    "not_ready": ("غير جاهز", "Not ready"),
    "version": ("الإصدار", "Version"),
    "version_n": ("الإصدار {n}", "Version {n}"),
    "in_use": ("المستخدم", "in use"),
    "never_published": ("لم يُنشر بعد", "Not published yet"),
    "unpublished_changes": ("تعديلات لم تُنشر", "Changes not published"),
    "draft": ("المسودة", "Draft"),
    "route": ("المسار", "Route"),
    "no_route": ("بلا مسار", "no route"),
    "tokens_always": ("حاضر دائمًا", "Always told"),
    "per_search": ("+ حتى {tokens} لكل بحث", "+ up to {tokens} a search"),
    # The parts of an agent.
    "parts": ("أقسام الوكيل", "Parts of the agent"),
    "overview": ("نظرة عامة", "Overview"),
    "xray": ("ما يُقال للنموذج", "Prompt X-ray"),
    "try": ("جرّبه", "Try it"),
    "versions": ("الإصدارات", "Versions"),
    "runs": ("المحادثات", "Runs"),
    "publish": ("انشر", "Publish"),
    "publish_n": ("انشر الإصدار {n}", "Publish version {n}"),
    "live": ("مباشر: يسري على كل الإصدارات", "Live: applies to all versions"),
    "only_draft": ("للمسودة: يسري بعد النشر", "Draft: applies once published"),
    # Readiness.
    "readiness": ("الجاهزية", "Readiness"),
    "all_well": ("كل ما أُعطي له حاضر وحديث.", "All that it was given is there and fresh."),
    "mend_attach": ("أعطه مصادر", "Give it sources"),
    "mend_switch": ("شغّل المعرفة", "Switch knowledge on"),
    "mend_large": ("خفف النص", "Lighten the prompt"),
    "mend_words": ("اختصر التعليمات", "Shorten the instructions"),
    "mend_publish": ("انشر إصدارًا من دونه", "Publish a version without it"),
    "mend_sections": ("اختر الأقسام من جديد", "Choose the sections again"),
    "mend_document": ("إلى الوثيقة", "To the document"),
    "mend_source": ("إلى المصدر", "To the source"),
    # What it knows.
    "knowledge": ("ما يعرفه", "What it knows"),
    "knowledge_lead": (
        "الحاضر دائمًا يُقال للنموذج مع كل رسالة، بهذا الترتيب. والقابل للبحث ينظر فيه حين يحتاجه.",
        "What is always told goes to the model with every message, in this order. What is searchable it looks up "
        "when it needs it.",
    ),
    "knowledge_is_off": (
        "المعرفة متوقفة: لا يعرف الوكيل شيئًا مما يلي.",
        "Knowledge is switched off: the agent knows nothing of this.",
    ),
    "attach": ("أعطه المزيد", "Give it more"),
    "attach_first": ("أعطه أول مصدر", "Give it a first source"),
    "nothing_attached": (
        "لم يُعطَ شيئًا بعد. أعطه قائمة أسعارك ليجيب عنها.",
        "It was given nothing yet. Give it your price list, and it can answer about prices.",
    ),
    "always": ("حاضر دائمًا", "always told"),
    "searchable": ("قابل للبحث", "searchable"),
    "make_always": ("اجعله حاضرًا دائمًا", "Always tell it"),
    "make_searchable": ("اجعله قابلًا للبحث", "Make it searchable"),
    "up": ("قدّم", "Move up"),
    "down": ("أخّر", "Move down"),
    "take_out": ("أزله", "Take it out"),
    "choose_its_sections": ("اختر أقسامها", "Choose its sections"),
    "kind_text": ("نص", "Text"),
    "kind_catalog": ("قائمة", "List"),
    "kind_api": ("رابط بيانات", "Feed"),
    "kind_document": ("وثيقة", "Document"),
    "never_fetched": ("لم يُجلب بعد", "not fetched yet"),
    "fetch_fails": ("يتعذر جلبه", "cannot be fetched"),
    "document_draft": ("الوثيقة مسودة، فلا يعرف منها شيئًا", "the document is a draft, so it knows nothing of it"),
    "sections_gone": ("أقسام لم تعد فيها:", "sections not in it any more:"),
    "whole_document": ("كلها", "all of it"),
    "sections_below": ("أقسام وما تحتها:", "sections and all below:"),
    "sections_alone": ("أقسام وحدها:", "sections alone:"),
    "changed": ("تغيّر", "Changed"),
    # The budget.
    "budget": ("ما يُقال دائمًا", "What is always told"),
    "budget_of": (
        "{tokens} من أصل {advised} وحدة نصية يُستحسن ألا تتجاوزها",
        "{tokens} of at most {advised} advised tokens",
    ),
    "budget_help": (
        "يُدفع ثمن هذا مع كل رسالة، وكلما طال تشتت انتباه النموذج.",
        "This is paid for with every message, and the longer it gets, the more the model's attention thins.",
    ),
    "advice": (
        "النص أثقل مما يُستحسن. اجعل هذه قابلة للبحث ليبقى نحو {left}:",
        "The prompt is heavier than advised. Make these searchable, and about {left} are left:",
    ),
    "too_heavy": (
        "ما يُقال له مع كل رسالة أكثر مما يُستحسن.",
        "What it is told with every message is more than advised.",
    ),
    "follow_advice": ("اجعلها قابلة للبحث", "Make them searchable"),
    "advice_only": ("هذه نصيحة فقط، ولا يُمنع شيء.", "This is only advice; nothing is refused for it."),
    # Words and limits of the draft.
    "instructions": ("التعليمات", "Instructions"),
    "instructions_help": (
        "كيف يتكلم الوكيل وما الذي يفعله. الحقائق والأسعار مكانها المصادر لا هنا.",
        "How the agent talks and what it does. Facts and prices belong into sources, not here.",
    ),
    "instructions_placeholder": ("أجب بلطف وباختصار.", "أجب بلطف وباختصار."),
    "no_instructions": ("لا تعليمات بعد.", "There are no instructions yet."),
    "edit": ("تعديل", "Edit"),
    "edit_title": ("تعديل {name}", "Edit {name}"),
    "edit_lead": (
        "تُحفظ في المسودة، ولا يراها النموذج حتى تنشر. الاسم وحده يتغير فورًا.",
        "These are kept in the draft, and the model sees them once you publish. Only the name changes at once.",
    ),
    "limits": ("نتائج البحث", "Search results"),
    "max_result_tokens": ("أطول نتيجة", "Longest result"),
    "max_result_tokens_help": (
        "كم وحدة نصية تزيد نتيجة البحث على الأكثر. ألفان تتسع لنحو ٦٠ سطرًا من قائمة أسعار؛ الأقل أرخص، والأكثر يرى أكثر.",
        "How many tokens a search result may add. Two thousand hold about 60 lines of a price list; fewer are cheaper, "
        "more show more.",
    ),
    "min_score": ("أدنى درجة مطابقة", "Lowest match"),
    "min_score_help": (
        "من ٠ إلى ١: كم من كلمات السؤال يجب أن يكون في السطر. ٠ يُري النموذج كل سطر فيه كلمة منها، و٠٫٥ ما فيه نصفها "
        "على الأقل. ارفعها إن شتتته أسطر لا تخص السؤال. ما يُحجب بها لا يُعد دليلًا على أن الشيء غير متوفر.",
        "From 0 to 1: how many of the question's words a line must have. 0 shows the model every line with one of them, "
        "0.5 those with half of them or more. Raise it when lines beside the point distract the model. What it holds "
        "back never counts as proof that you lack something.",
    ),
    "created": (
        "أُنشئ الوكيل. أعطه الآن ما يجيب منه.",
        "The agent is there. Now give it something to answer from.",
    ),
    "create": ("أنشئه", "Create it"),
    "saved": ("حُفظت المسودة.", "The draft is saved."),
    "late": (
        "حفظ شخص آخر أو برنامج تعديلًا قبلك. ترى أدناه ما يغيّره نصك في المحفوظ الآن. إن حفظت حل محله.",
        "Somebody else, or a program, saved a change before you. Below is what yours makes of what is saved now. "
        "Saving puts yours in its place.",
    ),
    "late_switches": (
        "غيّر شخص آخر أو برنامج هذه الإعدادات قبلك. راجع ما اخترته؛ إن حفظت حل محل المحفوظ الآن.",
        "Somebody else, or a program, changed these switches before you. Look at your choice again; saving puts it in "
        "place of what is saved now.",
    ),
    "same_instructions": ("التعليمات نفسها في الحالين.", "The instructions are the same in both."),
    # Live switches.
    "switches": ("إعدادات مباشرة", "Live switches"),
    "switches_lead": (
        "تسري فور حفظها على كل إصدارات الوكيل، دون نشر.",
        "They apply at once to all versions of the agent, without publishing.",
    ),
    "knowledge_switch": ("المعرفة", "Knowledge"),
    "knowledge_enabled": ("يستخدم ما أُعطي له من معرفة", "It uses the knowledge that it was given"),
    "knowledge_on": ("تعمل", "on"),
    "knowledge_off": ("متوقفة", "off"),
    "route_help": (
        "الاسم الذي تصل به برامج أخرى إلى هذا الوكيل. حروف لاتينية صغيرة وأرقام و - و _ ، من حرفين إلى ٦٤. فارغًا لا يصل "
        "إليه أحد.",
        "The name by which other programs reach this agent: small letters a-z, digits, - and _, from 2 to 64 of them. "
        "Empty, nobody reaches it.",
    ),
    "route_wrong": (
        "يُكتب المسار بحروف لاتينية صغيرة وأرقام و - و _ فقط، من حرفين إلى ٦٤، ويبدأ بحرف أو رقم.",
        "A route has small letters a-z, digits, - and _ only, from 2 to 64 of them, and begins with a letter or digit.",
    ),
    "reached_by": ("يصل به إليه:", "Reached by it:"),
    "client_enabled": ("تصل إليه برامج أخرى", "Other programs may reach it"),
    "clients": ("البرامج الأخرى", "Other programs"),
    "clients_on": ("مسموح لها", "let in"),
    "clients_off": ("ممنوعة", "kept out"),
    "audiences": ("لمن", "For whom"),
    "audiences_help": (
        "فئات الناس الذين يعمل البرنامج باسمهم، كل واحدة في سطر. اتركها كما هي إن كانت لفريقك وحده.",
        "The kinds of people that a program acts for, one on each line. Leave it as it is for your team alone.",
    ),
    "audiences_wrong": (
        "حتى {count} فئة، كل منها بحروف لاتينية وأرقام و . _ : - ، و{length} محرفًا على الأكثر.",
        "Up to {count} of them, each of the letters A-Z a-z, digits and . _ : - and {length} characters at most.",
    ),
    "client_instructions": ("تعليمات للبرامج الأخرى", "Instructions for other programs"),
    "client_instructions_help": (
        "تُقال لها مع تعليمات الوكيل. اتركها فارغة إن لم تكن لها حاجة.",
        "Told to them beside the agent's own. Leave it empty when there is nothing to add.",
    ),
    "client_instructions_given": ("لها تعليمات خاصة", "have instructions of their own"),
    "switched": ("حُفظ، ويسري الآن على كل الإصدارات.", "Saved; it applies to all versions now."),
    # Attaching.
    "attach_title": ("ماذا تعطي {name}؟", "What do you give {name}?"),
    "find": ("ابحث بالاسم", "Find by name"),
    "filter": ("اعرض", "Show"),
    "sources": ("المصادر", "Sources"),
    "documents": ("الوثائق", "Documents"),
    "how": ("كيف يستخدمها", "How it uses them"),
    "searchable_help": (
        "ينظر فيها حين يحتاجها. للقوائم والنصوص الطويلة.",
        "It looks things up when it needs them. For lists and long texts.",
    ),
    "always_help": (
        "تُقال له كاملة مع كل رسالة. لحقائق قصيرة يحتاجها دائمًا.",
        "It is told all of it with every message. For short facts that it always needs.",
    ),
    "large": ("طويل: الأنسب له البحث", "long: better searched"),
    "more_offered": (
        "يظهر هنا أحدث مئة. لغيرها ابحث بالاسم.",
        "The newest hundred are shown. Find others by their names.",
    ),
    "attach_now": ("أعطه ما اخترت", "Give it what I chose"),
    "attached": ("أُضيف إلى المسودة.", "It is in the draft now."),
    "choose_something": (
        "اختر مصدرًا أو وثيقة على الأقل، وكيف يستخدمها.",
        "Choose at least one source or document, and how it is used.",
    ),
    "nothing_offered_title": ("لا شيء يُعطى له", "There is nothing to give"),
    "nothing_offered": (
        "كل ما في المشروع عنده، أو لا مصادر في المشروع بعد.",
        "It has all there is in the project, or the project has no sources yet.",
    ),
    "nothing_found": ("لا شيء بهذا الاسم.", "Nothing has this name."),
    "add_source": ("أضف مصدرًا", "Add a source"),
    "only_some": ("اختر أقسامًا منها", "Choose some sections"),
    "draft_changed": (
        "تغيّرت المسودة. انشرها ليسري التغيير.",
        "The draft is changed. Publish it to put that to use.",
    ),
    "not_attached": ("لم يعد هذا عند الوكيل.", "The agent does not have this any more."),
    # Sections of a document.
    "sections_title": ("ماذا يأخذ من {document}؟", "What does it get of {document}?"),
    "sections_lead": (
        "يصله ما تختاره هنا ولا شيء غيره، في النص كما في البحث.",
        "It gets what you choose here and nothing beyond it, in the prompt as in searches.",
    ),
    "gone_sections": (
        "أقسام كانت مختارة ولم تعد في الوثيقة، وتُترك عند الحفظ:",
        "Sections that were chosen and are not in the document any more; saving leaves them out:",
    ),
    "choose_sections": (
        "اختر قسمًا واحدًا على الأقل أو الوثيقة كلها، وكيف تُستخدم.",
        "Choose at least one section or the whole document, and how it is used.",
    ),
    "to_document": ("اقرأ الوثيقة", "Read the document"),
    # The X-ray.
    "xray_title": ("ما يُقال للنموذج", "Prompt X-ray"),
    "xray_lead": (
        "كل ما يُقال للنموذج قبل أن يُسأل، حرفًا بحرف، ومن أين جاء.",
        "All that the model is told before anybody asks, to the letter, and where it comes from.",
    ),
    "which_version": ("أي إصدار", "Which version"),
    "for_whom": ("لمن يُقال", "Told to whom"),
    "for_model": ("نموذجك", "your model"),
    "for_clients": ("برامج أخرى", "other programs"),
    "show": ("اعرض", "Show"),
    "all_tokens": ("النص كله", "The whole prompt"),
    "length": ("طوله", "Its length"),
    "units_of": ("{units} من {most} تقبلها البرامج الأخرى", "{units} of {most} that other programs take"),
    "context": ("الحقائق من مصادرك", "Facts from your sources"),
    "at_revision": ("المراجعة", "Revision"),
    "prompt_is_empty": (
        "لا تعليمات ولا مصادر حاضرة دائمًا، فلا يُقال للنموذج شيء.",
        "There are no instructions and no always-told sources, so the model is told nothing.",
    ),
    "cut": (
        "بقي {left} حرفًا لا تظهر هنا.",
        "{left} more characters are not shown here.",
    ),
    "show_whole": ("اعرض النص كله", "Show all of it"),
    "hidden": Counted(
        (
            "",
            "في النص موضع واحد بمحارف لا تُرى",
            "في النص موضعان بمحارف لا تُرى",
            "في النص {n} مواضع بمحارف لا تُرى",
            "في النص {n} موضعًا بمحارف لا تُرى",
            "في النص {n} موضع بمحارف لا تُرى",
        ),
        (
            "{n} place in the prompt holds characters that nobody sees",
            "{n} places in the prompt hold characters that nobody sees",
        ),
    ),
    "hidden_help": (
        "يقرؤها النموذج ولا يراها الناس، وقد تحمل أوامر مدسوسة أو تقلب ترتيب الكلام. هي معلّمة في مواضعها؛ احذفها من مصدرها.",
        "The model reads them and people do not see them; they may carry smuggled orders, or turn words around. They are "
        "marked where they stand. Remove them from their source.",
    ),
    "hides": Counted(
        ("", "موضع خفي", "موضعان خفيان", "{n} مواضع خفية", "{n} موضعًا خفيًا", "{n} موضع خفي"),
        ("{n} hidden place", "{n} hidden places"),
    ),
    "tools": ("أداة البحث", "The search tool"),
    "tools_lead": (
        "هكذا تُعرض على النموذج، بصيغة كل واجهة.",
        "It is offered to the model like this, in the form of each API.",
    ),
    "no_tools": (
        "لا شيء قابلًا للبحث، فلا أداة.",
        "Nothing is searchable, so there is no tool.",
    ),
    # Versions.
    "versions_lead": (
        "يجمّد كل إصدار التعليمات وما أُعطي للوكيل، لا محتوى المصادر: ذاك يبقى مباشرًا.",
        "A version freezes the instructions and what the agent was given, never the content of sources: that stays live.",
    ),
    "no_versions": (
        "لم يُنشر شيء بعد. انشر المسودة لتضعها في الاستخدام.",
        "Nothing was published yet. Publish the draft to put it to use.",
    ),
    "published_at": ("نُشر", "Published"),
    "given": ("أُعطي له", "Given to it"),
    "things": Counted(
        ("لا شيء", "مصدر واحد", "مصدران", "{n} مصادر", "{n} مصدرًا", "{n} مصدر"),
        ("{n} source or document", "{n} sources and documents"),
    ),
    "against_draft": ("ما تغيّره المسودة فيه", "What the draft changes in it"),
    "against_previous": ("ما غيّره فيما قبله", "What it changed"),
    "no_changes": ("لا يختلفان في شيء.", "Nothing differs."),
    "changes": ("ما يتغير", "What changes"),
    "added": ("يُضاف", "added"),
    "removed": ("يُزال", "taken out"),
    "mode": ("يُستخدم بطريقة أخرى", "used otherwise"),
    "selection": ("أقسام أخرى", "other sections"),
    "reordered": ("ترتيب آخر", "another order"),
    "from_to": ("من {before} إلى {after}", "from {before} to {after}"),
    "frozen": ("ما جمّده هذا الإصدار", "What this version froze"),
    "is_gone": ("حُذف", "deleted"),
    "publish_title": ("نشر الإصدار {n}؟", "Publish version {n}?"),
    "publish_lead": (
        "يُستخدم من هذه اللحظة بدل الإصدار السابق، ويمكن الرجوع إليه.",
        "It is used from this moment in place of the one before, which you can go back to.",
    ),
    "publish_first": (
        "يُستخدم من هذه اللحظة، وتصل إليه البرامج الأخرى إن كان له مسار.",
        "It is used from this moment, and other programs reach it if it has a route.",
    ),
    "nothing_to_publish": (
        "المسودة هي الإصدار المستخدم نفسه، فلا شيء يُنشر.",
        "The draft says what the version in use says, so there is nothing to publish.",
    ),
    "draft_moved": (
        "تغيّرت المسودة منذ فتحت هذه الصفحة. راجع ما سيُنشر ثم قرر.",
        "The draft changed since you opened this page. Look at what would be published, then decide.",
    ),
    "said_published": ("نُشر الإصدار {n}.", "Version {n} is published."),
    "reuse": ("ابدأ منه مسودة", "Make it the draft"),
    "reuse_title": ("جعل الإصدار {n} مسودة؟", "Make version {n} the draft?"),
    "lost_changes": ("ما في المسودة ولم يُنشر", "What the draft says and was not published"),
    "lost_no_changes": ("لا شيء: المسودة منشورة كما هي", "Nothing: the draft is published as it is"),
    "reuse_without": ("حُذف منذئذ ويُترك: {id}", "Deleted since and left out: {id}"),
    "reused": (
        "صار الإصدار {n} مسودة. انشرها لتعود إليه.",
        "Version {n} is the draft now. Publish it to go back to it.",
    ),
    # Runs.
    "runs_lead": (
        "كل محادثة وما قيل فيها للنموذج، خطوة خطوة. تُحفظ تسعين يومًا.",
        "Every conversation and what the model was told in it, step by step. They are kept for ninety days.",
    ),
    "no_runs": (
        "لا محادثات بعد. جرّب الوكيل، أو صِل به برنامجك.",
        "No runs yet. Try the agent, or connect your program to it.",
    ),
    "latest_runs": ("آخر المحادثات", "Latest runs"),
    "all_runs": ("كلها", "All of them"),
    "when": ("متى", "When"),
    "asked": ("ما بحث عنه", "What it searched for"),
    "searches": Counted(
        ("لم يبحث", "بحث مرة", "بحث مرتين", "بحث {n} مرات", "بحث {n} مرة", "بحث {n} مرة"),
        ("{n} search", "{n} searches"),
    ),
    "found_nothing": ("لم يجد شيئًا", "found nothing"),
    "run_title": ("محادثة {when}", "Run of {when}"),
    "step_prompt": ("ما قيل له أولًا", "What it was told first"),
    "step_search": ("بحث", "Search"),
    "prompt_gone": (
        "لم يعد أحد المحتويات التي قامت عليها محفوظًا، فلا يمكن جمع النص من جديد.",
        "A content that it rested on is not kept any more, so the text cannot be put together again.",
    ),
    "rested_on": ("على ماذا قامت", "What it rested on"),
    "since_same": ("كما كان", "unchanged since"),
    "since_changed": ("تغيّر بعدها", "changed since"),
    "since_gone": ("حُذف بعدها", "deleted since"),
    "what_changed": ("ما الذي تغيّر", "What changed"),
    "told": ("ما قيل للنموذج", "What the model was told"),
    "told_by_others": (
        "صاغ البرنامج الآخر ما وُجد بنفسه، وهذه مواضعه.",
        "The other program put what was found into words itself; these are the places.",
    ),
    "was_cut": ("قُطعت النتيجة عند الحد", "cut at the limit"),
    "hits": Counted(
        ("لا شيء", "نتيجة واحدة", "نتيجتان", "{n} نتائج", "{n} نتيجة", "{n} نتيجة"),
        ("{n} hit", "{n} hits"),
    ),
    "hits_found": ("ما وُجد", "What was found"),
    "position": ("السطر", "Line"),
    "section": ("القسم", "Section"),
    "score": ("الدرجة", "Score"),
    "all_words": ("كل الكلمات", "all words"),
    "some_words": ("بعض الكلمات", "some words"),
    "miss": ("لم يُعثر على شيء", "Nothing found"),
    "may_deny": ("يجوز له أن يقول إنه غير متوفر", "it may say that you do not have it"),
    "may_not_deny": ("لا يجوز له أن يقول إنه غير متوفر", "it may not say that you lack it"),
    "reason_below_min_score": ("ما وُجد دون أدنى درجة مطابقة", "What was found is below the lowest match"),
    "reason_documents_searched": (
        "بُحث في وثائق، وهي لا تذكر كل شيء",
        "Documents were searched, which do not mention everything",
    ),
    "repeat": ("أعد الخطوات وقارن", "Repeat the steps and compare"),
    "repeat_help": (
        "تُعاد كل خطوة من المحتويات التي سمّتها، ويُقارن ما خرج بما قيل.",
        "Each step is done again from the contents that it names, and what comes out is compared with what was told.",
    ),
    "outcome_same": ("خرجت كما كانت", "comes out the same"),
    "outcome_different": ("خرجت بغير ما كانت", "comes out differently"),
    "outcome_gone": ("محتوى لم يعد محفوظًا", "a content is not kept any more"),
    # Trying.
    "try_title": ("جرّب {name}", "Try {name}"),
    "try_lead": (
        "ابحث كما يبحث النموذج حين يسأله عميل، واقرأ ما يُقال له حرفًا بحرف. تُجرَّب المسودة، ولا يُحسب ما تكتبه ضمن أسئلة "
        "العملاء.",
        "Search as the model does when a customer asks, and read to the letter what it is told. The draft is what you "
        "try, and what you type is not counted among the questions of customers.",
    ),
    "question": ("ما يبحث عنه النموذج", "What the model searches for"),
    "question_placeholder": ("كم سعر صندق البخور", "كم سعر صندق البخور"),
    "ask": ("ابحث", "Search"),
    "from_kept": ("من أسئلتك المحفوظة", "From your kept questions"),
    "new_run": ("ابدأ من جديد", "Start anew"),
    "whole_run": ("المحادثة كاملة", "The whole run"),
    "try_nothing": (
        "لا شيء قابلًا للبحث عند هذا الوكيل. ما عنده كله يُقال له مقدمًا.",
        "This agent has nothing to search. All that it knows it is told beforehand.",
    ),
    "told_before": ("ما قيل له مقدمًا", "What it was told beforehand"),
    "searched_in": ("أين يبحث", "Where it searches"),
    # Deleting.
    "delete": ("احذف الوكيل", "Delete the agent"),
    "delete_title": ("حذف {name}؟", "Delete {name}?"),
    "lost_draft": (
        "تعليماته ومسودته وما أُعطي له؛ تبقى المصادر نفسها",
        "Its instructions, its draft and what it was given; the sources stay",
    ),
    "lost_versions": Counted(
        (
            "لا إصدارات منشورة",
            "إصدار منشور واحد",
            "إصداران منشوران",
            "{n} إصدارات منشورة",
            "{n} إصدارًا منشورًا",
            "{n} إصدار منشور",
        ),
        ("{n} published version", "{n} published versions"),
    ),
    "lost_runs": Counted(
        (
            "لا محادثات",
            "محادثة واحدة وإثبات ما قيل فيها",
            "محادثتان وإثبات ما قيل فيهما",
            "{n} محادثات وإثبات ما قيل فيها",
            "{n} محادثة وإثبات ما قيل فيها",
            "{n} محادثة وإثبات ما قيل فيها",
        ),
        ("{n} run, and the proof of what was told in it", "{n} runs, and the proof of what was told in them"),
    ),
    "lost_route": (
        "لا يصل إليه شيء بالمسار {route} بعدها",
        "Nothing reaches it by the route {route} any more",
    ),
    "lost_client": ("يفقده البرنامج {client}", "The program {client} loses it"),
    "deleted": ("حُذف الوكيل {name}.", "The agent {name} is deleted."),
}
