"""Words of the pages of documents: their sections, revisions, readings and snapshots."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("الوثائق", "Documents"),
    "lead": (
        "سياسات وأدلة مقسّمة إلى أقسام لها أسماء ثابتة. يأخذ كل وكيل الأقسام التي تخصه، لا غيرها.",
        "Policies and guides in sections whose names stay. Each agent gets the sections that are its own, and no more.",
    ),
    "new": ("وثيقة جديدة", "New document"),
    "empty_title": ("لا وثائق بعد", "No documents yet"),
    "empty": (
        "الصق دليلًا أو سياسة وضع علامة حول كل قسم، ثم أعطِ كل وكيل القسم الذي يحتاجه.",
        "Paste a guide or a policy, mark its sections, and give each agent the section that it needs.",
    ),
    "empty_viewer": (
        "حين يضيف محررو المشروع وثائق تظهر هنا.",
        "Once editors of the project add documents, they are here.",
    ),
    "find": ("ابحث بالعنوان", "Find by title"),
    "filter": ("اعرض", "Show"),
    "any_status": ("كل الحالات", "Any state"),
    "none_fit_title": ("لا وثيقة تطابق", "No document fits"),
    "none_fit": ("غيّر ما كتبته أو اعرضها كلها.", "Change what you typed, or show all."),
    "show_all": ("اعرضها كلها", "Show all"),
    "name": ("العنوان", "Title"),
    "id": ("المعرّف", "Id"),
    "status": ("الحالة", "State"),
    "published": ("منشورة", "published"),
    "draft": ("مسودة", "draft"),
    "revision": ("المراجعة", "Revision"),
    "size": ("الحجم", "Size"),
    "tokens": ("الوحدات النصية", "Tokens"),
    "changed": ("آخر تغيير", "Last change"),
    "locale": ("اللغة", "Language"),
    "locale_none": ("غير محددة", "not stated"),
    "locale_ar": ("العربية", "Arabic"),
    "locale_en": ("الإنجليزية", "English"),
    "used_by": ("يستخدمها", "Used by"),
    "used_by_nobody": ("لا يستخدمها أي وكيل بعد.", "No agent uses it yet."),
    "sections": Counted(
        ("بلا أقسام", "قسم واحد", "قسمان", "{n} أقسام", "{n} قسمًا", "{n} قسم"),
        ("{n} section", "{n} sections"),
    ),
    "characters": Counted(
        ("لا أحرف", "حرف واحد", "حرفان", "{n} أحرف", "{n} حرفًا", "{n} حرف"),
        ("{n} character", "{n} characters"),
    ),
    "is_draft": (
        "هذه مسودة: لا يراها أي وكيل ولا يجدها البحث.",
        "This is a draft: no agent sees it and no search finds it.",
    ),
    "broken": (
        "أقسام طلبها وكلاء ولم تعد في الوثيقة:",
        "Agents were given sections that the document does not have any more:",
    ),
    # The tree.
    "tree": ("الأقسام", "Sections"),
    "tree_lead": (
        "افتح قسمًا لتقرأه مع كل ما تحته، كما يقرؤه الوكيل.",
        "Open a section to read it with all below it, as an agent does.",
    ),
    "no_sections": (
        "الوثيقة كلها قطعة واحدة. ضع علامات حول أجزائها لتعطي كل وكيل ما يخصه.",
        "The document is one piece. Mark its parts, so that each agent can get its own.",
    ),
    "outside": ("نص خارج الأقسام", "Text outside of sections"),
    "read_all": ("اقرأها كلها", "Read all of it"),
    "read_some": ("اختر واقرأ", "Choose and read"),
    "edit": ("تعديل", "Edit"),
    # Readings.
    "reading": ("قراءة الوثيقة", "Reading a document"),
    "read_title": ("قراءة {name}", "Reading {name}"),
    "read_lead": (
        "هذا ما يصل الوكيل من اختيار كهذا، حرفًا بحرف.",
        "This is what an agent gets of such a selection, to the letter.",
    ),
    "selection": ("ماذا يُقرأ", "What is read"),
    "mode_document": ("الوثيقة كلها", "The whole document"),
    "mode_subtree": ("الأقسام المختارة وكل ما تحتها", "The chosen sections and all below them"),
    "mode_self": ("نص الأقسام المختارة وحدها", "The text of the chosen sections alone"),
    "choose_sections": ("الأقسام", "Sections"),
    "read_now": ("اقرأ", "Read"),
    "choose_one": (
        "اختر قسمًا واحدًا على الأقل، أو اقرأ الوثيقة كلها.",
        "Choose at least one section, or read the whole document.",
    ),
    "nothing_in_it": ("لا نص في هذا الاختيار.", "There is no text in this selection."),
    "store": ("احفظ لقطة", "Store a snapshot"),
    "store_help": (
        "تبقى اللقطة كما هي مهما تغيّرت الوثيقة، ليرجع إليها من راجع الجواب.",
        "A snapshot stays as it is whatever becomes of the document, for whoever reviews an answer.",
    ),
    "is_stored": ("اللقطة محفوظة", "The snapshot is stored"),
    "stored": ("حُفظت اللقطة.", "The snapshot is stored."),
    "stored_already": ("كانت اللقطة محفوظة من قبل.", "The snapshot was stored before."),
    # Snapshots.
    "snapshots": ("اللقطات المحفوظة", "Stored snapshots"),
    "no_snapshots": (
        "لا لقطات بعد. اقرأ اختيارًا واحفظه إن احتجت أن تثبت ما كان فيه.",
        "No snapshots yet. Read a selection and store it, should you have to prove what it said.",
    ),
    "all_snapshots": ("كل اللقطات", "All snapshots"),
    "snapshot_title": ("لقطة من {document}", "Snapshot of {document}"),
    "snapshot": ("اللقطة", "Snapshot"),
    "taken": ("حُفظت", "Stored"),
    "document_is_gone": ("حُذفت الوثيقة، وبقيت اللقطة.", "The document is deleted; the snapshot stays."),
    # Revisions.
    "revisions": ("المراجعات", "Revisions"),
    "current": ("الحالية", "Current"),
    "not_kept": ("لم يُحفظ نصها", "text not kept"),
    "see_changes": ("ما الذي تغيّر", "What changed"),
    "revision_title": ("مراجعة {revision}", "Revision {revision}"),
    "revision_lead": (
        "الفرق بين الحالية وهذه: ما الذي تعيده لو استعدتها.",
        "From the current one to this: what restoring it would bring back.",
    ),
    "no_difference": ("النص نفسه في المراجعتين.", "The text is the same in both."),
    "restore": ("استعد هذه المراجعة", "Restore this revision"),
    "restore_help": (
        "تُقرأ هي من الآن، وتبقى الحالية محفوظة بين المراجعات.",
        "It is read from now on, and the present one stays among the revisions.",
    ),
    "restore_loses": (
        "ليست في هذه المراجعة أقسام أُعطيت لوكلاء، وسيفقدونها إن استعدتها:",
        "This revision lacks sections that agents were given; restoring it takes these away:",
    ),
    "restored": ("استُعيدت المراجعة {revision}.", "Revision {revision} is restored."),
    # Writing.
    "new_title": ("وثيقة جديدة", "New document"),
    "edit_title": ("تعديل {name}", "Edit {name}"),
    "live": ("مباشر: يسري على كل الإصدارات", "Live: applies to all versions"),
    "live_help": (
        "ما تحفظه هنا منشورًا يراه كل وكيل أُعطي أقسامًا منه فورًا، دون نشر الوكيل.",
        "What you save here as published is seen at once by every agent that was given sections of it, without "
        "publishing the agent.",
    ),
    "name_help": (
        "يراه فريقك ووكلاؤك، مثل: دليل التوصيل.",
        "Your team and your agents see it, as in: Delivery guide.",
    ),
    "id_help": (
        "اسم ثابت للبرامج، من حروف لاتينية وأرقام و . _ : - . اتركه فارغًا ليُختار لك.",
        "A lasting name for programs, of the letters A-Z a-z, digits and . _ : - . Leave it empty to get one.",
    ),
    "id_wrong": (
        "يُكتب المعرّف بحروف لاتينية وأرقام و . _ : - فقط، و٢٠٠ محرف على الأكثر.",
        "An id has the letters A-Z a-z, digits and . _ : - only, and 200 of them at most.",
    ),
    "id_taken": (
        "في المشروع وثيقة بهذا المعرّف. عدّلها، أو اختر معرّفًا آخر.",
        "The project has a document with this id. Edit that one, or choose another id.",
    ),
    "text": ("النص", "Text"),
    "text_help": (
        "ضع قبل كل قسم وبعده سطرًا كهذين. تظهر الأقسام أثناء الكتابة.",
        "Put a line like these before and after each section. The sections follow while you type.",
    ),
    "section_name": ("اسم القسم", "Name of the section"),
    "mark_section": ("اجعل ما حددته قسمًا", "Make what is chosen a section"),
    "text_placeholder": (
        "نوصل إلى كل المدن خلال يومين.",
        "We deliver to all cities within two days.",
    ),
    "revision_help": (
        "اسم لهذا النص بعينه، لا يدل على نص آخر أبدًا.",
        "A name for just this text; it never stands for another one.",
    ),
    "publish_now": ("انشرها: يراها الوكلاء فورًا", "Publish it: agents see it at once"),
    "keep_draft": ("أبقها مسودة: لا يراها أحد منهم", "Keep it a draft: none of them sees it"),
    "anyway": (
        "احفظ رغم ذلك: سيفقد هؤلاء ما لم يعد موجودًا",
        "Save nevertheless: they lose what is not there any more",
    ),
    "only_title": (
        "أرسل برنامج هذه الوثيقة بأقسام لا تُكتب علاماتها في نص. يمكنك تغيير عنوانها وحالتها هنا، ونصها من البرنامج.",
        "A program gave this document with sections that no marks in a text can name. Its title and state can be "
        "changed here, its text by the program.",
    ),
    "created": ("أُضيفت الوثيقة.", "The document is there."),
    "saved": ("حُفظت الوثيقة.", "The document is saved."),
    "saved_unchanged": ("لم يتغير شيء.", "Nothing changed."),
    "conflict": (
        "حفظ شخص آخر أو برنامج تعديلًا قبلك. ترى أدناه الفرق بين المحفوظ الآن وما كتبته. إن حفظت الآن حل نصك محله.",
        "Somebody else, or a program, saved a change before you. Below is what your text makes of what is saved now. "
        "Saving puts yours in its place.",
    ),
    # The preview.
    "look": ("معاينة الأقسام", "Preview of the sections"),
    "look_now": ("عاين", "Preview"),
    "look_first": (
        "اكتب أو الصق، وسترى هنا كيف تُفهم أقسام الوثيقة.",
        "Type or paste, and you will see here how the sections are understood.",
    ),
    "line": ("السطر {n}", "Line {n}"),
    # Publishing, taking back, deleting.
    "publish": ("انشر", "Publish"),
    "publish_title": ("نشر {name}؟", "Publish {name}?"),
    "publish_lead": (
        "يراها من هذه اللحظة كل وكيل أُعطي منها شيئًا، في كل إصداراته.",
        "From this moment every agent that was given something of it sees it, in all its versions.",
    ),
    "publish_to_nobody": (
        "لم يُعطَ أي وكيل شيئًا منها بعد، فلا يتغير عليهم شيء.",
        "No agent was given anything of it yet, so nothing changes for them.",
    ),
    "said_published": ("نُشرت الوثيقة.", "The document is published."),
    "withdraw": ("أعدها مسودة", "Make it a draft"),
    "withdraw_title": ("إعادة {name} مسودة؟", "Make {name} a draft?"),
    "withdraw_lost": (
        "لا يجدها البحث، ولا يبقى منها شيء عند الوكلاء",
        "No search finds it, and agents have nothing of it",
    ),
    "withdraw_from": ("يفقدها الوكيل {agent}", "The agent {agent} loses it"),
    "said_withdrawn": ("صارت الوثيقة مسودة.", "The document is a draft now."),
    "delete": ("احذف الوثيقة", "Delete the document"),
    "delete_title": ("حذف {name}؟", "Delete {name}?"),
    "lost_text": ("نص الوثيقة وأقسامها:", "The text of the document and its sections:"),
    "lost_revisions": ("كل مراجعاتها السابقة", "All its earlier revisions"),
    "snapshots_stay": ("تبقى اللقطات المحفوظة.", "Stored snapshots stay."),
    "lost_agents": (
        "يستخدمها هؤلاء الوكلاء، وستُزال منهم جميعًا:",
        "These agents use it, and it is taken out of all of them:",
    ),
    "detach_and_delete": ("أزلها من الوكلاء واحذفها", "Take it out of the agents and delete it"),
    "agents_changed": (
        "تغيّر من يستخدم هذه الوثيقة منذ فتحت الصفحة. راجع القائمة ثم قرر.",
        "Who uses this document changed since you opened the page. Look at the list, then decide.",
    ),
    "deleted": ("حُذفت الوثيقة.", "The document is deleted."),
}
