"""Invitations by e-mail, guarded by their project; and accounts that exist have addresses that somebody vouched for."""

import apps.projects.models
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def vouch_for_addresses(apps, schema_editor):
    """Until now only operators made accounts, so their addresses need no confirmation by mail."""
    EmailAddress = apps.get_model("account", "EmailAddress")
    known = set(EmailAddress.objects.values_list("user_id", flat=True))
    EmailAddress.objects.bulk_create(
        EmailAddress(user_id=user.pk, email=user.email, verified=True, primary=True)
        for user in apps.get_model("projects", "User").objects.all()
        if user.pk not in known
    )


class Migration(migrations.Migration):

    dependencies = [
        ('projects', '0001_projects_members_and_keys'),
        ('account', '0009_emailaddress_unique_primary_email'),
    ]

    operations = [
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.CharField(default=apps.projects.models.new_invitation_id, max_length=32, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(max_length=6)),
                ('language', models.CharField(max_length=2)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('sent_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='projects.project')),
            ],
            options={
                'indexes': [models.Index(fields=['expires_at'], name='invitations_by_expiry')],
                'constraints': [models.UniqueConstraint(fields=('project', 'email'), name='one_invitation_an_address')],
            },
        ),
        migrations.RunSQL("SELECT mawrid_protect('projects_invitation')", migrations.RunSQL.noop),
        migrations.RunPython(vouch_for_addresses, migrations.RunPython.noop),
    ]
