-- How many codes were sent by text message within a window, by number, user, address and installation. Subjects are digests.
create table text_message_counts (
  subject text primary key,
  hits integer not null,
  ends_at timestamptz not null
);

create index text_message_counts_by_end on text_message_counts (ends_at);
