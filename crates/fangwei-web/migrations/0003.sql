-- Competitions: the file and what it names, teams, submissions and their scores, prompts, awards. What is judged by is appended, never overwritten.

-- Bytes by their SHA-256, compressed with gzip and written in base64: files of competitions, uploads, results of items, transcripts, documents.
CREATE TABLE blob (
    hash TEXT PRIMARY KEY,
    bytes BIGINT NOT NULL,
    content TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- A competition under the id of its file. `state`: draft (seen by organisers only), open, closed. `version` is that of the last file, `events` the number of the last event.
CREATE TABLE contest (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    events BIGINT NOT NULL,
    made_by TEXT REFERENCES account (id),
    made_at BIGINT NOT NULL
);

-- Every version of every file: competition.toml itself, pages, agreement, data, gold, rows of boards.
CREATE TABLE contest_file (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    version BIGINT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL REFERENCES blob (hash),
    UNIQUE (contest, version, path)
);

-- What happened to a competition: moves of deadlines, releases, grants, freezes (`detail` is a `fangwei::contest::Change`), and news of the organisers.
-- The competition of today is its file with all its changes applied in the order of their numbers.
CREATE TABLE contest_event (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    is_public BIGINT NOT NULL,
    detail TEXT NOT NULL,
    account TEXT REFERENCES account (id),
    at BIGINT NOT NULL,
    UNIQUE (contest, number)
);

-- Who takes part. `kind`: team, baseline, human, llm. `state`: waiting, approved, refused, left. `folded` is the name without what eyes pass over: no two are alike.
-- `contact` (JSON: email, phone, …) is for the organisers and the team alone.
CREATE TABLE team (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    kind TEXT NOT NULL,
    sort TEXT NOT NULL,
    institution TEXT NOT NULL,
    leader TEXT NOT NULL,
    people TEXT NOT NULL,
    contact TEXT NOT NULL,
    state TEXT NOT NULL,
    answer TEXT NOT NULL,
    version BIGINT NOT NULL,
    made_by TEXT REFERENCES account (id),
    made_at BIGINT NOT NULL,
    decided_by TEXT REFERENCES account (id),
    decided_at BIGINT,
    UNIQUE (contest, folded)
);
CREATE INDEX team_state ON team (contest, state);

-- Who acts for a team: `part` is leader or member. Nobody is in two teams of a competition.
CREATE TABLE member (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    team TEXT NOT NULL REFERENCES team (id),
    account TEXT NOT NULL REFERENCES account (id),
    part TEXT NOT NULL,
    joined_at BIGINT NOT NULL,
    UNIQUE (contest, account)
);
CREATE INDEX member_team ON member (team);
CREATE INDEX member_account ON member (account);

-- A link by which accounts join a team, until it ends or all its places are taken.
CREATE TABLE join_link (
    hash TEXT PRIMARY KEY,
    team TEXT NOT NULL REFERENCES team (id),
    made_by TEXT REFERENCES account (id),
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    places BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX join_link_team ON join_link (team);

-- Who accepted which text of the agreement, and when.
CREATE TABLE acceptance (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    account TEXT NOT NULL REFERENCES account (id),
    team TEXT REFERENCES team (id),
    version TEXT NOT NULL,
    hash TEXT NOT NULL REFERENCES blob (hash),
    at BIGINT NOT NULL,
    UNIQUE (contest, account, version)
);

-- Every file that was sent. `verdict`: accepted or rejected; `defects` is the blob with the list. A retry with the same `client` is the same upload.
-- `hash` is that of the bytes as they were sent; those of a rejected file are not kept, or refused floods would fill the disk.
CREATE TABLE upload (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    team TEXT NOT NULL REFERENCES team (id),
    account TEXT REFERENCES account (id),
    phase TEXT NOT NULL,
    task TEXT NOT NULL,
    channel TEXT NOT NULL,
    client TEXT NOT NULL,
    file_name TEXT NOT NULL,
    note TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    hash TEXT NOT NULL,
    verdict TEXT NOT NULL,
    errors BIGINT NOT NULL,
    warnings BIGINT NOT NULL,
    defects TEXT REFERENCES blob (hash),
    at BIGINT NOT NULL,
    UNIQUE (team, phase, task, client)
);
CREATE INDEX upload_team ON upload (team, at);

-- An accepted upload. `number` counts a team's submissions to a task of a phase, `day_number` those of one day (`day` is its date in the zone of the competition):
-- two that are sent at once never have the same number. What keeps the quota is that the team is held while its submissions are counted.
CREATE TABLE submission (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    team TEXT NOT NULL REFERENCES team (id),
    upload TEXT NOT NULL UNIQUE REFERENCES upload (id),
    phase TEXT NOT NULL,
    task TEXT NOT NULL,
    number BIGINT NOT NULL,
    day TEXT NOT NULL,
    day_number BIGINT NOT NULL,
    hash TEXT NOT NULL REFERENCES blob (hash),
    at BIGINT NOT NULL,
    UNIQUE (team, phase, task, number),
    UNIQUE (team, phase, task, day, day_number)
);
CREATE INDEX submission_contest ON submission (contest, phase, task, at);

-- Which submission a team chose to count, where the phase lets it choose: the last row of a submission says whether it is chosen.
CREATE TABLE choice (
    id TEXT PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    is_chosen BIGINT NOT NULL,
    account TEXT REFERENCES account (id),
    at BIGINT NOT NULL
);
CREATE INDEX choice_submission ON choice (submission);

-- Every version of the items and the gold that a task of a phase is scored with. `generation` is the first generation of scores that uses it: what is scored in an
-- earlier one is scored with the version before.
CREATE TABLE gold_version (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    phase TEXT NOT NULL,
    task TEXT NOT NULL,
    number BIGINT NOT NULL,
    items TEXT NOT NULL REFERENCES blob (hash),
    gold TEXT NOT NULL REFERENCES blob (hash),
    generation BIGINT NOT NULL DEFAULT 1,
    account TEXT REFERENCES account (id),
    at BIGINT NOT NULL,
    UNIQUE (contest, phase, task, number)
);

-- A generation of scores: all submissions with one scorer and one gold. The first is made with the competition, every rescore makes the next. `state`: running, current,
-- past. Since `current_at` it is, or was, what everybody sees; nothing there, it never was.
CREATE TABLE generation (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    number BIGINT NOT NULL,
    scorer TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    account TEXT REFERENCES account (id),
    at BIGINT NOT NULL,
    current_at BIGINT,
    UNIQUE (contest, number)
);

-- What is to be scored. `state`: waiting, running, scored, failed. Who runs a job holds it until `held_until`; what was left by a process that died is taken up again.
CREATE TABLE job (
    id TEXT PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    generation BIGINT NOT NULL,
    state TEXT NOT NULL,
    holder TEXT NOT NULL,
    held_until BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    made_at BIGINT NOT NULL,
    UNIQUE (submission, generation)
);
CREATE INDEX job_state ON job (state, made_at);

-- One score of one submission in one generation: by which scorer, with which gold. `measures` (JSON) of all items, of the public and of the private part; `items` is the
-- blob with the results of the items. The constraint makes it exactly one, however often a job is begun.
CREATE TABLE score (
    id TEXT PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    generation BIGINT NOT NULL,
    scorer TEXT NOT NULL,
    gold TEXT NOT NULL REFERENCES blob (hash),
    ranking DOUBLE PRECISION,
    measures TEXT NOT NULL,
    items TEXT REFERENCES blob (hash),
    spent_ms BIGINT NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (submission, generation)
);

-- What happened to a submission, for its team: received, checked, scored, failed, rescored.
CREATE TABLE submission_log (
    id TEXT PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX submission_log_submission ON submission_log (submission);

-- The run of a submitted prompt on the hidden items by the organisers. `state`: running, stopped (to be gone on with), spent (its budget is used up), finished.
-- `answers` and `transcript` stay sealed; `judged` (JSON) is what the judgements alone come to; `batch` is where its reasons are graded.
CREATE TABLE prompt_run (
    id TEXT PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    model TEXT NOT NULL,
    state TEXT NOT NULL,
    budget_tokens BIGINT NOT NULL,
    spent_tokens BIGINT NOT NULL,
    spent_money DOUBLE PRECISION NOT NULL,
    items BIGINT NOT NULL,
    answered BIGINT NOT NULL,
    judged TEXT NOT NULL,
    answers TEXT REFERENCES blob (hash),
    transcript TEXT REFERENCES blob (hash),
    batch TEXT REFERENCES batch (id),
    account TEXT REFERENCES account (id),
    made_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    UNIQUE (submission, model)
);

-- Which answer of which run an item of a grading batch is: raters never learn it.
CREATE TABLE prompt_answer (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL REFERENCES prompt_run (id),
    qid TEXT NOT NULL,
    item TEXT NOT NULL REFERENCES item (id),
    UNIQUE (run, qid)
);
CREATE INDEX prompt_answer_item ON prompt_answer (item);

-- What a team hands in for the awards: a file, or a link. The last version counts.
CREATE TABLE document (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    team TEXT NOT NULL REFERENCES team (id),
    document TEXT NOT NULL,
    version BIGINT NOT NULL,
    file_name TEXT NOT NULL,
    hash TEXT REFERENCES blob (hash),
    link TEXT NOT NULL,
    account TEXT REFERENCES account (id),
    at BIGINT NOT NULL,
    UNIQUE (team, document, version)
);

-- What a member of the jury gives a team by one criterion. The last version counts.
CREATE TABLE jury_score (
    id TEXT PRIMARY KEY,
    contest TEXT NOT NULL REFERENCES contest (id),
    team TEXT NOT NULL REFERENCES team (id),
    account TEXT NOT NULL REFERENCES account (id),
    criterion TEXT NOT NULL,
    version BIGINT NOT NULL,
    points DOUBLE PRECISION NOT NULL,
    comment TEXT NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (team, account, criterion, version)
);
