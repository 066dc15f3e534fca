-- The role of an auditor: reads what a viewer reads, with the audit log and evidence, and changes nothing.

alter table users
  drop constraint users_role_check,
  add constraint users_role_check check (role in ('viewer', 'member', 'auditor', 'admin', 'owner'));

alter table invitations
  drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('viewer', 'auditor', 'member', 'admin'));

alter table scim_settings
  drop constraint scim_settings_default_role_check,
  add constraint scim_settings_default_role_check check (default_role in ('viewer', 'auditor', 'member', 'admin'));

alter table sign_in_providers
  drop constraint sign_in_providers_default_role_check,
  add constraint sign_in_providers_default_role_check check (default_role in ('viewer', 'auditor', 'member', 'admin'));
