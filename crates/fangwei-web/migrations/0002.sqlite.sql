-- What was appended stays.
CREATE TRIGGER mark_keeps_update BEFORE UPDATE ON mark BEGIN SELECT RAISE(ABORT, 'mark rows are never changed'); END;
CREATE TRIGGER mark_keeps_delete BEFORE DELETE ON mark BEGIN SELECT RAISE(ABORT, 'mark rows are never changed'); END;
CREATE TRIGGER review_keeps_update BEFORE UPDATE ON review BEGIN SELECT RAISE(ABORT, 'review rows are never changed'); END;
CREATE TRIGGER review_keeps_delete BEFORE DELETE ON review BEGIN SELECT RAISE(ABORT, 'review rows are never changed'); END;
CREATE TRIGGER message_keeps_update BEFORE UPDATE ON message BEGIN SELECT RAISE(ABORT, 'message rows are never changed'); END;
CREATE TRIGGER message_keeps_delete BEFORE DELETE ON message BEGIN SELECT RAISE(ABORT, 'message rows are never changed'); END;
CREATE TRIGGER suggestion_keeps_update BEFORE UPDATE ON suggestion BEGIN SELECT RAISE(ABORT, 'suggestion rows are never changed'); END;
CREATE TRIGGER suggestion_keeps_delete BEFORE DELETE ON suggestion BEGIN SELECT RAISE(ABORT, 'suggestion rows are never changed'); END;
CREATE TRIGGER gold_keeps_update BEFORE UPDATE ON gold BEGIN SELECT RAISE(ABORT, 'gold rows are never changed'); END;
CREATE TRIGGER gold_keeps_delete BEFORE DELETE ON gold BEGIN SELECT RAISE(ABORT, 'gold rows are never changed'); END;
