-- What somebody is asked, among all that their account has open. Roles stand with their account (`role:admin:<account>`), since every account has them.
update approvals set asked = array(select case when key like 'role:%' then key || ':' || account_id else key end from unnest(asked) as key);

create index approvals_asked on approvals using gin (asked) where state = 'open';
