-- Files are made in parts, which are kept until the file is complete: after a kill of its process, the work continues after the last one.
alter table files add column is_part boolean not null default false;

create index files_by_owner on files (account_id, owner);

-- Evidence packs use the same files and links. Packs are kept for a day, and can be made again.
drop table evidence_pack_parts, evidence_pack_links, evidence_pack_chunks;
delete from evidence_packs;
alter table evidence_packs drop column bytes, drop column sha256, add column file_id uuid;
