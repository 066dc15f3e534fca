-- When a process has last been making a report: null while its job waits for a process.
alter table privacy_reports add column heartbeat_at timestamptz;
