"""The whole database as text, for tests that look for what must not be in it."""

from django.db import connection

from apps.projects.scoping import across_projects


def everything_stored() -> str:
    with across_projects(), connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        texts = []
        for table in tables:
            cursor.execute(f"SELECT string_agg(r::text, E'\\n') FROM \"{table}\" r")
            texts.append(str(cursor.fetchone()[0]))
    return "\n".join(texts)
