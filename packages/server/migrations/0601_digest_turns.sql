-- When a job was last sent for the mail of a user. Users have turns by it, so that those whose mails fail do not delay the others.
alter table notification_digests add column queued_at timestamptz;
