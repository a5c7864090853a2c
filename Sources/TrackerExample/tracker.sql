BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS people (name TEXT PRIMARY KEY, token TEXT NOT NULL);
INSERT OR IGNORE INTO people VALUES ('Aoi', sha256('aoi')), ('Mei', sha256('mei')), ('Ren', sha256('ren'));
CREATE TABLE IF NOT EXISTS issues (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('bug', 'wish', 'question')),
  status TEXT NOT NULL DEFAULT 'open',
  author TEXT NOT NULL,
  updated TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  body TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS issues_updated ON issues (updated, id);
CREATE TABLE IF NOT EXISTS comments (
  id INTEGER PRIMARY KEY,
  issue INTEGER NOT NULL REFERENCES issues,
  author TEXT NOT NULL,
  text TEXT NOT NULL,
  written TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
);
CREATE INDEX IF NOT EXISTS comments_issue ON comments (issue, id);
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60),
  words AS (
    SELECT n, substr('DoorLampRoof', 4 * (n % 3) + 1, 4) AS thing, iif(n % 2, 'bug', 'wish') AS kind,
      substr('AoiMeiRen', 3 * (n % 3) + 1, 3) AS author FROM numbers)
INSERT INTO issues (id, title, kind, author, updated, body)
  SELECT n, thing || ' ' || n || iif(kind = 'bug', ' がきしむ', ' should be quieter'), kind, author,
    strftime('%Y-%m-%dT%H:%M:%fZ', '2026-11-20', n || ' minutes'),
    '# ' || thing || ' ' || n || char(10, 10) || 'It is **loud**, see [there](https://example.org/' || n || ').'
  FROM words WHERE NOT EXISTS (SELECT 1 FROM issues);
INSERT INTO comments (issue, author, text)
  SELECT id, 'Ren', 'Here, too.' FROM issues WHERE id % 5 = 0 AND NOT EXISTS (SELECT 1 FROM comments);
COMMIT;
