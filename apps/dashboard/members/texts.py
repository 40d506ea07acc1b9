"""Words of the page of members, and of inviting and leaving."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("الأعضاء", "Members"),
    "lead": (
        "المالك يدير كل شيء، والمحرر يغيّر المعرفة والوكلاء، والمشاهد يقرأ ويجرّب البحث.",
        "Owners manage everything, editors change knowledge and agents, viewers read and try the search.",
    ),
    "person": ("العضو", "Person"),
    "role": ("الدور", "Role"),
    "role_of": ("دور {email}", "Role of {email}"),
    "since": ("منذ", "Since"),
    "change": ("غيّر", "Change"),
    "invite": ("دعوة عضو", "Invite somebody"),
    "leave": ("مغادرة المشروع", "Leave the project"),
    "invitations": ("دعوات مفتوحة", "Open invitations"),
    "state": ("الحالة", "State"),
    "state_sending": ("قيد الإرسال", "being sent"),
    "state_sent": ("أُرسلت", "sent"),
    "state_expired": ("انتهت مدتها", "expired"),
    "expires": ("تنتهي", "Expires"),
    "resend": ("أرسلها من جديد", "Send again"),
    "withdraw": ("اسحبها", "Withdraw"),
    # Inviting.
    "invite_title": ("دعوة عضو", "Invite somebody"),
    "invite_lead": (
        "نرسل رسالة فيها رابط صالح ٧ أيام. من يفتحه ينضم إلى المشروع بهذا البريد.",
        "We send a message with a link that is good for 7 days. Who opens it joins the project with this address.",
    ),
    "email": ("البريد الإلكتروني", "E-mail"),
    "role_help": (
        "يمكنك تغيير الدور لاحقًا.",
        "You can change the role later.",
    ),
    "invite_send": ("أرسل الدعوة", "Send the invitation"),
    "too_many_today": (
        "أرسلت دعوات كثيرة اليوم. أكمل غدًا.",
        "You have sent many invitations today. Go on tomorrow.",
    ),
    "said_invited": ("دُعي {email}. تصله الرسالة خلال لحظات.", "{email} is invited. The message is on its way."),
    "said_resent": ("تُرسل الدعوة إلى {email} من جديد.", "The invitation to {email} is being sent again."),
    "said_withdrawn": ("سُحبت دعوة {email}.", "The invitation of {email} was withdrawn."),
    "said_role": ("أصبح دور {email}: {role}.", "{email} is now: {role}."),
    "said_removed": ("لم يعد {email} عضوًا.", "{email} is no longer a member."),
    "said_left": ("غادرت المشروع «{project}».", "You have left the project “{project}”."),
    # What is asked once.
    "remove_title": ("حذف {email} من المشروع؟", "Remove {email} from the project?"),
    "remove_lost": (
        "يفقد {email} الوصول إلى كل ما في المشروع فورًا.",
        "{email} loses access to everything in the project at once.",
    ),
    "remove_kept": (
        "تبقى المصادر والمفاتيح التي أنشأها.",
        "The sources and keys that they created stay.",
    ),
    "remove_action": ("حذف العضو", "Remove the member"),
    "leave_title": ("مغادرة «{project}»؟", "Leave “{project}”?"),
    "leave_lost": (
        "تفقد الوصول إلى مصادر المشروع ووكلائه وسجله فورًا، ولا تعود إلا بدعوة.",
        "You lose access to its sources, agents and history at once, and only an invitation brings you back.",
    ),
    "leave_action": ("مغادرة المشروع", "Leave the project"),
    "withdraw_title": ("سحب دعوة {email}؟", "Withdraw the invitation of {email}?"),
    "withdraw_lost": (
        "لا يعود الرابط الذي وصل إليه صالحًا. يمكنك دعوته من جديد.",
        "The link in the message stops working. You can invite the address again.",
    ),
    "withdraw_action": ("سحب الدعوة", "Withdraw the invitation"),
}
