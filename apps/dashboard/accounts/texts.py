"""Words of signing up and in, of a person's account, of founding and joining projects, and of the mail about these."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    # The first page.
    "welcome_title": (
        "معرفة منشأتك، يجدها وكلاؤك كما يكتب الناس العربية فعلًا",
        "Your business’s facts, found the way people really type Arabic",
    ),
    "welcome_lead": (
        "ضع قائمة أسعارك وسياساتك مرة واحدة. يجدها وكلاء الذكاء الاصطناعي رغم الأخطاء واللهجات والأرقام بكل أشكالها، ولا يقولون «غير متوفر» إلا بدليل.",
        "Keep price lists and policies in one place. AI agents find them through slips, dialect and digits of every kind, and say “not available” only on evidence.",
    ),
    "welcome_finds_title": ("تجد رغم الأخطاء", "Finds through slips"),
    "welcome_finds": (
        "«صندق بخور» و«عود ١٢مل» و«كم سعر المبخرة» تصل كلها إلى السطر الصحيح.",
        "Missing letters, dialect, plurals and Arabic digits all reach the right line.",
    ),
    "welcome_fresh_title": ("تبقى محدّثة", "Stays fresh"),
    "welcome_fresh": (
        "اربط متجرك أو نظامك فتُحدّث الأسعار بنفسها، وإن تعطل الربط أخبرتك بالسبب بكلام واضح.",
        "Connect your shop or system and prices follow by themselves; when that breaks you are told why in plain words.",
    ),
    "welcome_honest_title": ("صادقة", "Honest"),
    "welcome_honest": (
        "يعرف الوكيل متى يدل عدم العثور على أن الشيء غير متوفر، ومتى لا يدل.",
        "An agent knows when finding nothing means that you do not have it, and when it does not.",
    ),
    "running": ("الخدمة تعمل", "The service is running"),
    "not_ready": ("جزء من الخدمة لا يعمل", "A part of the service is down"),
    "part_ok": ("على ما يرام", "running"),
    "part_failing": ("خارج العمل", "down"),
    "database": ("قاعدة البيانات", "Database"),
    "redis": ("ريديس", "Redis"),
    "migrations": ("ترقيات الجداول", "Migrations"),
    "worker": ("العامل في الخلفية", "Background worker"),
    "description": ("وصف OpenAPI", "OpenAPI description"),
    # A new project.
    "new_project_title": ("مشروع جديد", "New project"),
    "first_project_title": ("أنشئ مشروعك الأول", "Create your first project"),
    "new_project_lead": (
        "المشروع هو مكان معرفة منشأة واحدة: مصادرها ووكلاؤها وأعضاؤها.",
        "A project is the place of one business’s knowledge: its sources, its agents and its members.",
    ),
    "project_name": ("اسم المشروع", "Name of the project"),
    "project_name_help": ("اسم منشأتك أو متجرك، مثل: متجر العود.", "The name of your business or shop."),
    "project_locale": ("لغة المشروع", "Language of the project"),
    "project_locale_help": (
        "لغة المحتوى واتجاه سطوره، ولغة ما يُقال للوكلاء. لا تغيّر لغة هذه الصفحات.",
        "The language of its content and of what agents are told. It does not change the language of these pages.",
    ),
    "locale_ar": ("العربية", "Arabic"),
    "locale_en": ("الإنجليزية", "English"),
    "create_project": ("إنشاء المشروع", "Create the project"),
    "project_created": ("أُنشئ المشروع.", "The project was created."),
    # Signing in and up.
    "email": ("البريد الإلكتروني", "E-mail"),
    "password": ("كلمة المرور", "Password"),
    "new_password": ("كلمة المرور الجديدة", "New password"),
    "new_password_again": ("كلمة المرور الجديدة مرة أخرى", "New password again"),
    "old_password": ("كلمة المرور الحالية", "Present password"),
    "password_help": (
        "١٠ أحرف على الأقل، وليست كلمة شائعة.",
        "At least 10 characters, and none that many people use.",
    ),
    "password_short": Counted(
        (
            "كلمة المرور قصيرة.",
            "كلمة المرور قصيرة. اكتب حرفًا واحدًا على الأقل.",
            "كلمة المرور قصيرة. اكتب حرفين على الأقل.",
            "كلمة المرور قصيرة. اكتب {n} أحرف على الأقل.",
            "كلمة المرور قصيرة. اكتب {n} حرفًا على الأقل.",
            "كلمة المرور قصيرة. اكتب {n} حرف على الأقل.",
        ),
        (
            "This password is too short. Use at least {n} character.",
            "This password is too short. Use at least {n} characters.",
        ),
    ),
    "remember": ("أبقني متصلًا على هذا الجهاز", "Keep me signed in on this device"),
    "sign_in_title": ("الدخول", "Sign in"),
    "wrong_login": (
        "البريد أو كلمة المرور غير صحيحة، أو كثرت المحاولات. انتظر قليلًا ثم أعد المحاولة.",
        "E-mail or password is wrong, or there were too many attempts. Wait a moment, try again.",
    ),
    "forgot": ("نسيت كلمة المرور؟", "Forgot the password?"),
    "no_account": ("ليس لديك حساب؟", "No account yet?"),
    "have_account": ("لديك حساب؟", "Have an account?"),
    "sign_up_title": ("إنشاء حساب", "Create an account"),
    "sign_up_lead": (
        "ينشئ الحساب مشروعك الأول، أو يدخلك إلى مشروع دُعيت إليه.",
        "With an account you create a project of your own, or join one that invited you.",
    ),
    "sign_up_closed_title": ("إنشاء الحسابات مغلق", "Signing up is closed"),
    "sign_up_closed": (
        "لا تُنشأ الحسابات هنا إلا بدعوة. اطلب من مالك المشروع أن يدعوك.",
        "Accounts are created by invitation only. Ask the owner of a project to invite you.",
    ),
    "verification_title": ("افتح بريدك", "Open your mail"),
    "verification_text": (
        "أرسلنا رسالة فيها رابط لتأكيد عنوانك. افتح الرابط لإكمال الحساب. إن لم تجدها فابحث في البريد غير المرغوب فيه.",
        "We sent a message with a link that confirms your address. Open it to complete the account. If you do not see the message, look among the junk mail.",
    ),
    "mail_is_here": (
        "هذا الجهاز بلا خادم بريد، فالرسالة في صفحة البريد الصادر.",
        "This machine has no mail server: the message is on the page of outgoing mail.",
    ),
    "open_mailbox": ("افتح البريد الصادر", "Open the outgoing mail"),
    "confirm_title": ("تأكيد البريد", "Confirm the address"),
    "confirm_text": ("أكّد أن {email} بريدك.", "Confirm that {email} is your address."),
    "confirm": ("تأكيد", "Confirm"),
    "confirm_taken": (
        "تعذر تأكيد {email} لأن حسابًا آخر أكّده.",
        "{email} cannot be confirmed: another account has confirmed it.",
    ),
    "confirm_bad": (
        "الرابط غير صالح أو انتهت مدته. سجّل الدخول لتصلك رسالة جديدة.",
        "The link is wrong or has expired. Sign in to get a new message.",
    ),
    "inactive_title": ("الحساب موقوف", "The account is closed"),
    "inactive": ("أوقف المشغّل هذا الحساب. تواصل معه.", "The operator has closed this account. Ask them about it."),
    "reset_title": ("استعادة كلمة المرور", "Reset the password"),
    "reset_lead": (
        "اكتب بريدك لنرسل إليك رابطًا تختار به كلمة مرور جديدة.",
        "Enter your e-mail address and we send a link by which you choose a new password.",
    ),
    "reset_send": ("أرسل الرابط", "Send the link"),
    "reset_sent_title": ("افتح بريدك", "Open your mail"),
    "reset_sent": (
        "إن كان لهذا البريد حساب فقد أرسلنا إليه رابطًا. إن لم تجده فابحث في البريد غير المرغوب فيه.",
        "If there is an account with this address, a link is on its way. If you do not see it, look among the junk mail.",
    ),
    "reset_choose": ("اختر كلمة مرور جديدة", "Choose a new password"),
    "reset_bad_title": ("الرابط لا يصلح", "The link does not work"),
    "reset_bad": (
        "استُخدم الرابط أو انتهت مدته. اطلب رابطًا جديدًا.",
        "The link was used or has expired. Ask for a new one.",
    ),
    "reset_again": ("اطلب رابطًا جديدًا", "Ask for a new link"),
    "reset_done_title": ("تغيّرت كلمة المرور", "The password was changed"),
    "reset_done": ("يمكنك الدخول بها الآن.", "You can sign in with it now."),
    "sign_out_title": ("الخروج", "Sign out"),
    "sign_out_text": ("هل تريد الخروج من حسابك؟", "Do you want to sign out?"),
    "too_many_title": ("محاولات كثيرة", "Too many attempts"),
    "too_many": ("انتظر بضع دقائق ثم أعد المحاولة.", "Wait a few minutes and try again."),
    # The account.
    "account_title": ("حسابك", "Your account"),
    "account_sign_in": ("الدخول والأمان", "Signing in and security"),
    "account_projects": ("مشاريعك", "Your projects"),
    "account_no_projects": ("لست عضوًا في أي مشروع بعد.", "You are not a member of any project yet."),
    "change": ("تغيير", "Change"),
    "leave": ("مغادرة", "Leave"),
    "sessions": ("الجلسات", "Sessions"),
    "sessions_open": Counted(
        ("لا جلسات", "جلسة واحدة", "جلستان", "{n} جلسات", "{n} جلسة", "{n} جلسة"), ("{n} session", "{n} sessions")
    ),
    "language": ("لغة الصفحات في هذا المتصفح", "Language of the pages in this browser"),
    "language_now": ("العربية", "English"),
    "second_factor": ("التحقق بخطوتين", "Second factor"),
    "on": ("مفعّل", "on"),
    "off": ("غير مفعّل", "off"),
    "manage": ("إدارة", "Manage"),
    # Deleting the account.
    "delete_title": ("حذف حسابك", "Delete your account"),
    "delete_lead": (
        "تغادر كل مشاريعك وتنتهي جلساتك على كل الأجهزة. تبقى المشاريع وما فيها لأعضائها.",
        "You leave all your projects, and your sessions end on every device. The projects stay with their members.",
    ),
    "delete_log": (
        "يبقى ما فعلته في سجلات التدقيق برقم لا يدل على اسمك أو بريدك.",
        "What you did stays in the audit logs, under a number that tells neither your name nor your address.",
    ),
    "delete_only_owner": (
        "لا يمكن حذف حسابك ما دمت المالك الوحيد لهذه المشاريع. اجعل عضوًا آخر مالكًا، أو احذف المشروع:",
        "Your account cannot be deleted while you are the only owner of these projects. Make somebody else an owner, "
        "or delete the project:",
    ),
    "delete_account": ("احذف حسابي نهائيًا", "Delete my account for good"),
    "said_account_deleted": ("حُذف حسابك.", "Your account was deleted."),
    "mail_deleted_subject": ("حُذف حسابك في مورد", "Your account at Mawrid was deleted"),
    "mail_deleted": (
        "مرحبًا،\n\nحُذف حسابك في مورد كما طلبت. إن لم تكن أنت من طلب ذلك فأخبر من يشغّل الخدمة.\n",
        "Hello,\n\nyour account at Mawrid was deleted, as was asked. If it was not you, tell whoever runs the service.\n",
    ),
    # Changing the address and the password.
    "email_title": ("تغيير البريد", "Change the e-mail address"),
    "email_new": ("البريد الجديد", "New address"),
    "email_pending": (
        "بانتظار تأكيد {email}. افتح الرابط في الرسالة التي أُرسلت إليه.",
        "{email} is not confirmed yet. Open the link in the message that was sent there.",
    ),
    "email_resend": ("أرسل الرسالة من جديد", "Send the message again"),
    "email_cancel": ("ألغِ التغيير", "Cancel the change"),
    "email_change": ("غيّر البريد", "Change the address"),
    "password_title": ("تغيير كلمة المرور", "Change the password"),
    "password_change": ("غيّر كلمة المرور", "Change the password"),
    "reauthenticate_title": ("أكّد أنك أنت", "Confirm that it is you"),
    "reauthenticate": (
        "لأن ما تفعله يمس أمان حسابك نطلب كلمة مرورك من جديد.",
        "What you are about to do concerns the security of your account, so we ask for your password once more.",
    ),
    "reauthenticate_code": (
        "لأن ما تفعله يمس أمان حسابك نطلب رمزًا من تطبيقك.",
        "What you are about to do concerns the security of your account, so we ask for a code of your app.",
    ),
    "by_password": ("أكّد بكلمة المرور", "Confirm by password"),
    "by_code": ("أكّد برمز التطبيق", "Confirm by a code of the app"),
    # Sessions.
    "sessions_title": ("الجلسات المفتوحة", "Open sessions"),
    "sessions_lead": (
        "الأجهزة التي دخلت إلى حسابك منها. أنهِ ما لا تعرفه وغيّر كلمة مرورك.",
        "Where you are signed in. End what you do not know, and change your password.",
    ),
    "session_browser": ("المتصفح", "Browser"),
    "session_address": ("عنوان الشبكة", "Network address"),
    "session_since": ("دخلت", "Signed in"),
    "session_this": ("هذه الجلسة", "this one"),
    "session_end": ("إنهاء", "End"),
    "session_end_others": ("إنهاء كل الجلسات الأخرى", "End all other sessions"),
    "session_ended": ("أُنهيت الجلسة.", "The session was ended."),
    "said_sessions_logged_out": ("أُنهيت كل الجلسات الأخرى.", "All other sessions were ended."),
    # The second factor.
    "factor_title": ("التحقق بخطوتين", "Second factor"),
    "factor_lead": (
        "بعد كلمة المرور يُطلب رمز من تطبيق على هاتفك، فلا تكفي كلمة مرورك وحدها لمن سرقها.",
        "After the password a code from an app on your phone is asked for, so a stolen password is not enough.",
    ),
    "factor_app": ("تطبيق الرموز", "Code app"),
    "factor_activate": ("تفعيل", "Activate"),
    "factor_deactivate": ("إيقاف", "Deactivate"),
    "factor_scan": (
        "امسح هذه الصورة بتطبيق رموز من نوع TOTP على هاتفك، أو أدخل المفتاح فيه بيدك.",
        "Scan this picture with a code app (TOTP) on your phone, or type the key into it.",
    ),
    "factor_picture": ("صورة المفتاح لتطبيق الرموز", "Picture of the key for the code app"),
    "factor_key": ("المفتاح", "Key"),
    "factor_code": ("الرمز الذي يعرضه التطبيق", "Code that the app shows"),
    "factor_any_code": ("رمز من التطبيق أو رمز استرداد", "A code of the app, or a recovery code"),
    "factor_ask": ("أدخل الرمز لإكمال الدخول.", "Enter the code to complete signing in."),
    "factor_off_title": ("إيقاف التحقق بخطوتين", "Deactivate the second factor"),
    "factor_off_text": (
        "بعد ذلك تكفي كلمة المرور للدخول، وتُلغى رموز الاسترداد.",
        "From then on the password alone is enough to sign in, and the recovery codes end.",
    ),
    "codes_title": ("رموز الاسترداد", "Recovery codes"),
    "codes_lead": (
        "كل رمز يُدخلك مرة واحدة إن ضاع هاتفك. احفظها في مكان آمن.",
        "Each code lets you in once if you lose your phone. Keep them in a safe place.",
    ),
    "codes_left": Counted(
        (
            "لم يبق رمز",
            "بقي رمز واحد",
            "بقي رمزان",
            "بقيت {n} رموز",
            "بقي {n} رمزًا",
            "بقي {n} رمز",
        ),
        ("{n} code left", "{n} codes left"),
    ),
    "codes_view": ("عرض", "Show"),
    "codes_download": ("تنزيل", "Download"),
    "codes_generate": ("إنشاء رموز جديدة", "Create new codes"),
    "codes_generate_text": (
        "تحل رموز جديدة محل القديمة، فلا تصلح القديمة بعدها.",
        "New codes take the place of the old ones, which no longer work.",
    ),
    # Joining a project.
    "invitation_title": ("دعوة إلى مشروع", "Invitation to a project"),
    "invitation_text": (
        "دُعي {email} إلى مشروع «{project}» بدور {role}.",
        "{email} is invited to the project “{project}” as {role}.",
    ),
    "invitation_accept": ("انضم إلى المشروع", "Join the project"),
    "invitation_sign_in": ("الدخول بهذا البريد", "Sign in with this address"),
    "invitation_sign_up": ("إنشاء حساب بهذا البريد", "Create an account with this address"),
    "invitation_other": (
        "دخلت بالبريد {email}، والدعوة لغيره. اخرج ثم ادخل بالبريد المدعو.",
        "You are signed in as {email}, and the invitation is for somebody else. Sign out, then sign in with the invited address.",
    ),
    "invitation_joined": ("انضممت إلى المشروع.", "You have joined the project."),
    "invitation_gone_title": ("الدعوة لم تعد صالحة", "The invitation is no longer good"),
    "invitation_gone": (
        "انتهت مدتها أو سُحبت أو استُخدمت. اطلب من مالك المشروع دعوة جديدة.",
        "It has expired, was withdrawn or was used. Ask the owner of the project for a new one.",
    ),
    # Mail that is shown instead of being sent.
    "mail_title": ("البريد الصادر", "Outgoing mail"),
    "mail_lead": (
        "هذا الجهاز بلا خادم بريد، فتظهر الرسائل هنا بدل إرسالها. لا تُفتح هذه الصفحة إلا من الجهاز نفسه.",
        "This machine has no mail server, so messages are shown here instead. Only this machine can open this page.",
    ),
    "mail_empty_title": ("لا رسائل بعد", "No messages yet"),
    "mail_empty": (
        "ستظهر هنا رسائل تأكيد الحساب والدعوات واستعادة كلمة المرور.",
        "Messages that confirm accounts, invite members and reset passwords will stand here.",
    ),
    "mail_to": ("إلى", "To"),
    # What is said at the top of the next page.
    "said_email_confirmed": ("أُكّد البريد {email}.", "The address {email} is confirmed."),
    "said_email_confirmation_sent": ("أُرسلت رسالة التأكيد إلى {email}.", "A message was sent to {email}."),
    "said_email_confirmation_failed": (
        "تعذر تأكيد {email} لأن حسابًا آخر أكّده.",
        "{email} cannot be confirmed: another account has confirmed it.",
    ),
    "said_email_deleted": ("أُلغي التغيير إلى {email}.", "The change to {email} was cancelled."),
    "said_password_changed": ("تغيّرت كلمة المرور.", "The password was changed."),
    "said_logged_out": ("خرجت من حسابك.", "You have signed out."),
    "said_totp_activated": ("فُعّل التحقق بخطوتين.", "The second factor is on."),
    "said_totp_deactivated": ("أُوقف التحقق بخطوتين.", "The second factor is off."),
    "said_recovery_codes_generated": ("أُنشئت رموز استرداد جديدة.", "New recovery codes were created."),
    "said_mail_failed": (
        "تعذر إرسال الرسالة. أعد المحاولة بعد قليل.",
        "The message could not be sent. Try again in a moment.",
    ),
    # Mail: a subject and a text each.
    "mail_confirm_subject": ("أكّد بريدك في مورد", "Confirm your address at Mawrid"),
    "mail_confirm": (
        "مرحبًا،\n\nأُعطي هذا البريد لحساب في مورد. إن كنت أنت فافتح الرابط لتأكيده:\n\n{link}\n\nإن لم تكن أنت فتجاهل هذه الرسالة.",
        "Hello,\n\nthis address was given for an account at Mawrid. If it was you, open the link to confirm it:\n\n{link}\n\nIf it was not, ignore this message.",
    ),
    "mail_exists_subject": ("لديك حساب في مورد", "You have an account at Mawrid"),
    "mail_exists": (
        "مرحبًا،\n\nأراد أحدهم إنشاء حساب بهذا البريد، وله حساب من قبل. إن نسيت كلمة المرور فاستعدها من هنا:\n\n{link}\n\nإن لم تكن أنت فتجاهل هذه الرسالة.",
        "Hello,\n\nsomebody tried to create an account with this address, which has one already. If you forgot the password, reset it here:\n\n{link}\n\nIf it was not you, ignore this message.",
    ),
    "mail_unknown_subject": ("لا حساب بهذا البريد في مورد", "No account with this address at Mawrid"),
    "mail_unknown": (
        "مرحبًا،\n\nأراد أحدهم استعادة كلمة مرور بهذا البريد، ولا حساب به في مورد. لإنشاء حساب:\n\n{link}\n\nإن لم تكن أنت فتجاهل هذه الرسالة.",
        "Hello,\n\nsomebody asked to reset a password with this address, but Mawrid has no account with it. To create one:\n\n{link}\n\nIf it was not you, ignore this message.",
    ),
    "mail_reset_subject": ("استعادة كلمة المرور في مورد", "Reset your password at Mawrid"),
    "mail_reset": (
        "مرحبًا،\n\nطُلبت استعادة كلمة مرور حسابك. لاختيار كلمة مرور جديدة افتح الرابط:\n\n{link}\n\nإن لم تطلب ذلك فتجاهل هذه الرسالة، فلم يتغير شيء.",
        "Hello,\n\na new password was asked for your account. To choose one, open the link:\n\n{link}\n\nIf you did not ask, ignore this message: nothing has changed.",
    ),
    "mail_notice_subject": ("تغيير في حسابك في مورد: {what}", "A change to your account at Mawrid: {what}"),
    "mail_notice": (
        "مرحبًا،\n\nحدث هذا في حسابك: {what}\n\nعنوان الشبكة: {ip}\nالمتصفح: {user_agent}\nالوقت: {at}\n\nإن لم تكن أنت فاستعد كلمة المرور فورًا:\n\n{link}",
        "Hello,\n\nthis happened to your account: {what}\n\nNetwork address: {ip}\nBrowser: {user_agent}\nTime: {at}\n\nIf it was not you, reset your password right away:\n\n{link}",
    ),
    "notice_password_changed": ("تغيّرت كلمة المرور", "the password was changed"),
    "notice_password_reset": ("استُعيدت كلمة المرور", "the password was reset"),
    "notice_email_changed": ("تغيّر البريد", "the e-mail address was changed"),
    "notice_email_deleted": ("أُلغي بريد أُضيف إليه", "an e-mail address was taken off it"),
    "notice_email_confirm": ("أُكّد البريد", "the e-mail address was confirmed"),
    "notice_totp_activated": ("فُعّل التحقق بخطوتين", "the second factor was activated"),
    "notice_totp_deactivated": ("أُوقف التحقق بخطوتين", "the second factor was deactivated"),
    "notice_recovery_codes_generated": ("أُنشئت رموز استرداد جديدة", "new recovery codes were created"),
}
