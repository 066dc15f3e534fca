-- When and by what the user of a session proved their identity most recently, for operations that ask for a recent proof.
alter table sessions add column authenticated_at timestamptz;
update sessions set authenticated_at = created_at;
alter table sessions alter column authenticated_at set not null;

-- Methods of RFC 8176: pwd, otp, sms, email, …
alter table sessions add column methods text[] not null default '{pwd}';
