-- The number of the last escalation of an approval that the audit log has: stages begin again when an approver is replaced.
alter table approvals add column escalated smallint not null default 0;
update approvals set escalated = steps - 1 where state = 'open' and steps > 1;
