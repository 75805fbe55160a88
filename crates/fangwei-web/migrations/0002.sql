-- Annotation: batches of items, who is to do what, every version of what they said, reviews, talk, gold.

CREATE TABLE batch (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL,
    mode TEXT NOT NULL,
    state TEXT NOT NULL,
    per_item BIGINT NOT NULL,
    settings TEXT NOT NULL,
    made_by TEXT REFERENCES account (id),
    made_at BIGINT NOT NULL
);

-- `record` is what an annotator may see: the task's own record without answer. `secret` stays on the server: gold, replaced words, whether it is a check question.
CREATE TABLE item (
    id TEXT PRIMARY KEY,
    batch TEXT NOT NULL REFERENCES batch (id),
    number BIGINT NOT NULL,
    qid TEXT NOT NULL,
    origin TEXT NOT NULL,
    genre TEXT NOT NULL,
    record TEXT NOT NULL,
    secret TEXT NOT NULL,
    is_check BIGINT NOT NULL,
    UNIQUE (batch, number),
    UNIQUE (batch, qid)
);

-- One person's work on one item. `version` is that of the last mark, 0 before the first; `opened_at` is when a timed item was first seen.
CREATE TABLE assignment (
    id TEXT PRIMARY KEY,
    batch TEXT NOT NULL REFERENCES batch (id),
    item TEXT NOT NULL REFERENCES item (id),
    account TEXT NOT NULL REFERENCES account (id),
    part TEXT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    round BIGINT NOT NULL,
    spent_ms BIGINT NOT NULL,
    given_at BIGINT NOT NULL,
    opened_at BIGINT,
    changed_at BIGINT NOT NULL,
    finished_at BIGINT,
    UNIQUE (item, account, part)
);
CREATE INDEX assignment_account ON assignment (account, batch, state);
CREATE INDEX assignment_batch ON assignment (batch, part, state);

-- Every version of every mark. A revision by a reviewer is a version with another author. `late` is what came after the time of a human test.
CREATE TABLE mark (
    id TEXT PRIMARY KEY,
    assignment TEXT NOT NULL REFERENCES assignment (id),
    version BIGINT NOT NULL,
    author TEXT REFERENCES account (id),
    source TEXT NOT NULL,
    content TEXT NOT NULL,
    finished BIGINT NOT NULL,
    late BIGINT NOT NULL DEFAULT 0,
    at BIGINT NOT NULL,
    client TEXT NOT NULL,
    UNIQUE (assignment, version)
);

-- A finished assignment that a reviewer is to look at. A blind one does not show what another reviewer said; it stays with the version that it was given for.
CREATE TABLE inspection (
    id TEXT PRIMARY KEY,
    assignment TEXT NOT NULL REFERENCES assignment (id),
    reviewer TEXT NOT NULL REFERENCES account (id),
    blind BIGINT NOT NULL,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    given_at BIGINT NOT NULL,
    done_at BIGINT,
    UNIQUE (assignment, reviewer)
);
CREATE INDEX inspection_reviewer ON inspection (reviewer, state);

-- One verdict of one reviewer in one round.
CREATE TABLE review (
    id TEXT PRIMARY KEY,
    assignment TEXT NOT NULL REFERENCES assignment (id),
    round BIGINT NOT NULL,
    blind BIGINT NOT NULL,
    reviewer TEXT NOT NULL REFERENCES account (id),
    version BIGINT NOT NULL,
    verdict TEXT NOT NULL,
    comment TEXT NOT NULL,
    pointer TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX review_assignment ON review (assignment, round);
CREATE INDEX review_reviewer ON review (reviewer);

-- Questions, answers, reports and comments about an item.
CREATE TABLE message (
    id TEXT PRIMARY KEY,
    batch TEXT NOT NULL REFERENCES batch (id),
    item TEXT NOT NULL REFERENCES item (id),
    author TEXT NOT NULL REFERENCES account (id),
    kind TEXT NOT NULL,
    reply_to TEXT REFERENCES message (id),
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX message_item ON message (item);
CREATE INDEX message_reply ON message (reply_to);
CREATE INDEX message_author ON message (author);
CREATE INDEX message_batch ON message (batch, kind);

-- What a predictor says of an item; shown as such, and never where the batch forbids it.
CREATE TABLE suggestion (
    id TEXT PRIMARY KEY,
    item TEXT NOT NULL REFERENCES item (id),
    predictor TEXT NOT NULL,
    content TEXT NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (item, predictor)
);

-- What counts as the answer (`gold`), or that there is none (`discard`, `adjudicate`), by which way, from whose marks. The last version of an item counts.
CREATE TABLE gold (
    id TEXT PRIMARY KEY,
    item TEXT NOT NULL REFERENCES item (id),
    version BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    content TEXT NOT NULL,
    path TEXT NOT NULL,
    from_marks TEXT NOT NULL,
    author TEXT REFERENCES account (id),
    at BIGINT NOT NULL,
    UNIQUE (item, version)
);
