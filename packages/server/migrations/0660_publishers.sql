-- Who may publish workflows: all who may edit them, or administrators and owners alone.
alter table accounts add column publishers text not null default 'members' check (publishers in ('members', 'admins'));
