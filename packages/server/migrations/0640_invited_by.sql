-- Who invited, for the page on which a person joins. Null for invitations from before.
alter table invitations add column invited_by uuid;
