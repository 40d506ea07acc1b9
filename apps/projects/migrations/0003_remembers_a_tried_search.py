"""When a member first tried the search, so that the first steps of a project know of it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0002_invitations"),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="search_tried_at",
            field=models.DateTimeField(null=True),
        ),
    ]
