-- Accounts, sessions, links, tokens, attempts, audit. Times are milliseconds since 1970; truth is 0 or 1; ids are texts that sort by time.

CREATE TABLE account (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    shown TEXT NOT NULL,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    state TEXT NOT NULL,
    tags TEXT NOT NULL,
    lang TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE session (
    hash TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    csrf TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX session_account ON session (account);

-- A link that makes an account, or that sets the password of one.
CREATE TABLE link (
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    role TEXT NOT NULL,
    account TEXT REFERENCES account (id),
    made_by TEXT REFERENCES account (id),
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

CREATE TABLE token (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX token_account ON token (account);

-- Attempts to sign in: those that failed count towards a lock-out.
CREATE TABLE attempt (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    passed BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX attempt_name ON attempt (name, at);
CREATE INDEX attempt_address ON attempt (address, at);

CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    account TEXT,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_object ON audit (object);
CREATE INDEX audit_account ON audit (account);
