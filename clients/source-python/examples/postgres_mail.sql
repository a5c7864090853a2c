-- 10,000 mails to try the example with: psql mail < postgres_mail.sql
CREATE TABLE mail (
  id bigint PRIMARY KEY,
  received timestamptz NOT NULL,
  sender text NOT NULL,
  subject text NOT NULL
);
CREATE UNIQUE INDEX mail_in_order ON mail (received, id);

INSERT INTO mail (id, received, sender, subject)
SELECT n,
       -- Three mails an hour that all came at the same time: the id tells them apart.
       timestamptz '2026-01-01 00:00:00.123456Z' + n / 3 * interval '1 hour',
       (ARRAY['Aoi', 'Ren', 'Yui'])[n % 3 + 1],
       'Subject ' || n
FROM generate_series(1, 10000) AS numbers (n);
ANALYZE mail;
