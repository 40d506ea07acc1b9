"""Addresses of signing up and in, of a person's own account, and of what belongs to no project yet.

allauth's own views under its names and paths, but only those that are in use here.
"""

from allauth.account import views as account
from allauth.mfa.base import views as factor
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.usersessions import views as sessions
from django.urls import path, re_path

from apps.dashboard.accounts import deleting, joining, views

urlpatterns = [
    path("", views.home, name="home"),
    path("account", views.account, name="account"),
    path("account/delete", deleting.delete_account, name="delete_account"),
    path("account/sessions/<str:session_id>/end", views.end_session, name="end_session"),
    path("projects/new", views.new_project, name="new_project"),
    path("invitations/<str:token>", joining.invitation, name="invitation"),
    path("mail", views.mailbox, name="mailbox"),
    path("accounts/login/", account.login, name="account_login"),
    path("accounts/logout/", account.logout, name="account_logout"),
    path("accounts/signup/", account.signup, name="account_signup"),
    path("accounts/inactive/", account.account_inactive, name="account_inactive"),
    path("accounts/reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("accounts/email/", account.email, name="account_email"),
    path("accounts/confirm-email/", account.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", account.confirm_email, name="account_confirm_email"),
    path("accounts/password/change/", account.password_change, name="account_change_password"),
    path("accounts/password/set/", account.password_set, name="account_set_password"),
    path("accounts/password/reset/", account.password_reset, name="account_reset_password"),
    path("accounts/password/reset/done/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("accounts/2fa/", factor.index, name="mfa_index"),
    path("accounts/2fa/authenticate/", factor.authenticate, name="mfa_authenticate"),
    path("accounts/2fa/reauthenticate/", factor.reauthenticate, name="mfa_reauthenticate"),
    path("accounts/2fa/totp/activate/", totp.activate_totp, name="mfa_activate_totp"),
    path("accounts/2fa/totp/deactivate/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("accounts/2fa/recovery-codes/", codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "accounts/2fa/recovery-codes/generate/", codes.generate_recovery_codes, name="mfa_generate_recovery_codes"
    ),
    path(
        "accounts/2fa/recovery-codes/download/", codes.download_recovery_codes, name="mfa_download_recovery_codes"
    ),
    path("accounts/sessions/", sessions.list_usersessions, name="usersessions_list"),
]
