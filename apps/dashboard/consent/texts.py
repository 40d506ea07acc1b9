"""Words of the page where a member lets an agent in or keeps it out."""

from typing import Final

from apps.dashboard.texts import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("هل تسمح لهذا الوكيل بالدخول؟", "Let this agent in?"),
    "asks": (
        "يطلب {client} على الجهاز {device} أن يعمل باسمك في مشروع {project}.",
        "{client} on the device {device} asks to act for you in the project {project}.",
    ),
    "started_by_you": (
        "وافق فقط إن كنت أنت من بدأ هذا الدخول قبل لحظات وعلى جهازك هذا. وإن وصلك هذا الرابط من غيرك فارفض.",
        "Agree only if you began this login yourself, a moment ago and on this device. If somebody sent you this "
        "link, refuse.",
    ),
    "can": (
        "يستطيع أن يبحث في معرفة الوكلاء الذين تختارهم وأن يقرأها، ولا يستطيع تغيير شيء.",
        "It can search and read the knowledge of the agents that you choose. It cannot change anything.",
    ),
    "lasts": ("يبقى الإذن {days}، ويمكن إنهاؤه قبل ذلك.", "This lasts for {days}, and can be ended before."),
    "n_days": Counted(
        ar=("أقل من يوم", "يومًا واحدًا", "يومين", "{n} أيام", "{n} يومًا", "{n} يوم"),
        en=("{n} day", "{n} days"),
    ),
    "routes": ("الوكلاء المسموح بهم", "Agents it may use"),
    "signed_in_as": ("دخلت باسم {email}.", "You are signed in as {email}."),
    "approve": ("السماح بالدخول", "Let it in"),
    "deny": ("الرفض", "Keep it out"),
    "approved": ("سُمح للوكيل بالدخول", "The agent was let in"),
    "denied": ("رُفض دخول الوكيل", "The agent was kept out"),
    "goes_on": (
        "تعود الآن إلى الوكيل. يمكنك إغلاق هذه الصفحة إن بقيت مفتوحة.",
        "You are on the way back to the agent. If this page stays, you can close it.",
    ),
    "go_on": ("العودة إلى الوكيل", "Back to the agent"),
}
