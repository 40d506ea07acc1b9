-- The two roles that Mawrid uses and what they may do, for a server of its own as for the embedded one.
-- Run it as a superuser, once per server, in the database that Mawrid uses (the embedded server runs it in template1,
-- so that every database made later has it). Passwords are set elsewhere: ALTER ROLE … PASSWORD …

DO $$
BEGIN
    -- Makes and owns the tables; only migrations connect with it. CREATEDB is for test databases.
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mawrid_owner') THEN
        CREATE ROLE mawrid_owner LOGIN CREATEDB NOSUPERUSER NOCREATEROLE NOBYPASSRLS;
    END IF;
    -- Serves and works. It owns nothing, so row level security is in force for everything it does.
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mawrid_app') THEN
        CREATE ROLE mawrid_app LOGIN NOCREATEDB NOSUPERUSER NOCREATEROLE NOBYPASSRLS;
    END IF;
END
$$;

-- Rows yes; TRUNCATE, which row level security does not cover, no.
ALTER DEFAULT PRIVILEGES FOR ROLE mawrid_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO mawrid_app;
ALTER DEFAULT PRIVILEGES FOR ROLE mawrid_owner GRANT USAGE ON SEQUENCES TO mawrid_app;
