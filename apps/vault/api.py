"""REST doors of secrets."""

from django.http import HttpRequest, HttpResponse

from apps.rest.fields import ListQuery
from apps.rest.operations import operation
from apps.rest.pagination import newest_first
from apps.rest.views import ApiView
from apps.vault import presenters, queries, services
from apps.vault.serializers import NewSecret, SecretChange, SecretShape


class SecretsView(ApiView):
    @operation("List secrets", id="list_secrets", query=ListQuery, answers={200: SecretShape})
    def get(self, request: HttpRequest) -> HttpResponse:
        secrets = queries.secrets_of(self.caller.project_id)
        return self.listing(newest_first(secrets, presenters.secret, **self.paging))

    @operation(
        "Create a secret",
        id="create_secret",
        request=NewSecret,
        answers={201: SecretShape},
        errors={409: "The project has a secret of this name."},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        secret = services.create_secret(self.caller.project_id, **self.body, actor=self.caller.key_id)
        return self.created(presenters.secret(secret), location=f"/v1/secrets/{secret.id}")


class OneSecretView(ApiView):
    @operation("Read a secret, without its value", id="get_secret", answers={200: SecretShape})
    def get(self, request: HttpRequest, secret_id: str) -> HttpResponse:
        return self.single(presenters.secret(queries.get_secret(self.caller.project_id, secret_id)))

    @operation(
        "Change a secret's value or hosts",
        id="update_secret",
        request=SecretChange,
        partial=True,
        answers={200: SecretShape},
    )
    def patch(self, request: HttpRequest, secret_id: str) -> HttpResponse:
        secret = queries.get_secret(self.caller.project_id, secret_id, lock=True)
        self.check_if_match(presenters.secret(secret))
        changed = services.update_secret(secret, **self.body, actor=self.caller.key_id)
        return self.single(presenters.secret(changed))

    @operation(
        "Delete a secret",
        id="delete_secret",
        answers={204: None},
        errors={409: "Sources name the secret in their headers."},
    )
    def delete(self, request: HttpRequest, secret_id: str) -> HttpResponse:
        secret = queries.get_secret(self.caller.project_id, secret_id, lock=True)
        self.check_if_match(presenters.secret(secret))
        services.delete_secret(secret, actor=self.caller.key_id)
        return self.no_content()
