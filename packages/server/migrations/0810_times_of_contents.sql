-- When the content was written, by the clock of the database as the opening of an approval: an approval shows no later content.
alter table account_files add column written_at timestamptz;

update account_files set written_at = updated_at;

alter table account_files alter column written_at set default clock_timestamp(), alter column written_at set not null;
