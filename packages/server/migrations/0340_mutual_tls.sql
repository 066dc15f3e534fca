-- Connections that prove themselves by a client certificate.
alter table connections drop constraint connections_kind_check;
alter table connections add constraint connections_kind_check
  check (kind in ('api-key', 'bearer', 'basic', 'oauth2', 'database', 'smtp', 'imap', 's3', 'mutual-tls'));
