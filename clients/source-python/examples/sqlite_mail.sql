-- 10,000 mails to try the example with. All or nothing, and once, even if two programs begin at the same time.
BEGIN IMMEDIATE;

CREATE TABLE IF NOT EXISTS mail (
  id INTEGER PRIMARY KEY,
  received TEXT NOT NULL,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS mail_in_order ON mail (received, id);

WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
INSERT OR IGNORE INTO mail (id, received, sender, subject)
SELECT n,
       -- Three mails an hour that all came at the same time: the id tells them apart.
       strftime('%Y-%m-%dT%H:00:00Z', '2026-01-01', '+' || (n / 3) || ' hours'),
       CASE n % 3 WHEN 0 THEN 'Aoi' WHEN 1 THEN 'Ren' ELSE 'Yui' END,
       'Subject ' || n
FROM numbers;

COMMIT;
