-- Who decides in place of approvers who cannot any more: `[{ "from": "mail:…", "to": "<user id>" }, …]`, in the order in which it was decided.
alter table approvals add column reassigned json;
