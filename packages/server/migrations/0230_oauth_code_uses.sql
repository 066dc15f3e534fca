-- A code that is used again ends the grant that it gave (RFC 6749, section 4.1.2); it is kept until it expires.
alter table oauth_codes add column used_at timestamptz;
alter table oauth_codes add column key_id uuid;
create index oauth_codes_expire on oauth_codes (expires_at);
create index api_keys_of_clients on api_keys (account_id, id) where client_id is not null;
