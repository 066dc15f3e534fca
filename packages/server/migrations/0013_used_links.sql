-- A used link stays until it expires, so that it counts towards the limit of links in an hour.
alter table mail_links add column used_at timestamptz;
