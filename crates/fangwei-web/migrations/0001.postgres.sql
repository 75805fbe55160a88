-- What was appended stays.
CREATE FUNCTION keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME; END $$;
CREATE TRIGGER audit_keeps BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION keeps();
