"""The data key of what belongs to people; no tenant's table, so nothing guards it but the keys of the deployment."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('vault', '0001_secrets_and_data_keys'),
    ]

    operations = [
        migrations.CreateModel(
            name='PersonalKey',
            fields=[
                ('id', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('wrapped', models.BinaryField()),
                ('wrapped_by', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
