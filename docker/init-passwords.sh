#!/bin/sh
# Runs after init-roles.sql on a new server: gives the roles their passwords and the owner the database.
set -eu

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set owner="$OWNER_DATABASE_PASSWORD" --set app="$APP_DATABASE_PASSWORD" --set database="$POSTGRES_DB" <<'SQL'
ALTER ROLE mawrid_owner PASSWORD :'owner';
ALTER ROLE mawrid_app PASSWORD :'app';
ALTER DATABASE :"database" OWNER TO mawrid_owner;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO mawrid_app;
SQL
