-- Sign-in with external providers: the providers of accounts, verified domains, linked identities, and sign-ins in progress.

-- The sign-in provider of an account, at most one of each protocol.
create table sign_in_providers (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  protocol text not null check (protocol in ('oidc', 'saml')),
  name text not null check (char_length(name) between 1 and 100),
  -- Issuer of OpenID Connect, or entity id of SAML.
  issuer text not null,
  client_id text,
  -- Sealed under the secret key of the installation.
  client_secret bytea,
  scopes text[],
  -- SAML: where requests are sent, the certificates that sign responses (base64 DER), the attribute with the address.
  sign_in_url text,
  certificates text[],
  email_attribute text,
  provision boolean not null,
  default_role text not null check (default_role in ('viewer', 'member', 'admin')),
  role_claim text,
  roles jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sign_in_providers_protocol_unique unique (account_id, protocol),
  unique (account_id, id),
  check ((protocol = 'oidc') = (client_id is not null and scopes is not null)),
  check ((protocol = 'saml') = (sign_in_url is not null and certificates is not null))
);

select millrace_isolate('sign_in_providers');

create table account_domains (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Lower case, ASCII.
  domain text not null check (char_length(domain) between 3 and 253),
  token text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  constraint account_domains_domain_unique unique (account_id, domain)
);

-- Any account may try to verify a domain, and one at a time has it.
create unique index account_domains_verified on account_domains (domain) where verified_at is not null;

select millrace_isolate('account_domains');

-- An external identity by which a user signs in. Its key is the provider, the issuer and the subject; the address is for display.
create table identities (
  id uuid primary key,
  account_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('loginone', 'logintwo', 'oidc', 'saml')),
  -- The provider of the account; null for one of the installation. Accounts choose their issuers, so an issuer counts only within its provider.
  sign_in_provider_id uuid,
  issuer text not null,
  subject text not null check (char_length(subject) between 1 and 1024),
  email text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, sign_in_provider_id) references sign_in_providers (account_id, id) on delete cascade,
  check ((provider in ('oidc', 'saml')) = (sign_in_provider_id is not null)),
  constraint identities_subject_unique unique nulls not distinct (sign_in_provider_id, provider, issuer, subject),
  constraint identities_provider_unique unique (account_id, user_id, provider)
);

create index identities_by_sign_in_provider on identities (account_id, sign_in_provider_id);

select millrace_isolate('identities');

-- A sign-in in progress: from its start to the exchange of its code.
create table external_sign_ins (
  id uuid primary key,
  -- SHA-256 of the state (OpenID Connect) or relay state (SAML).
  state_hash bytea not null unique check (octet_length(state_hash) = 32),
  provider text not null check (provider in ('loginone', 'logintwo', 'oidc', 'saml')),
  -- The account of the provider, or of the user who links an identity; null for a sign-in with a provider of the installation.
  account_id uuid references accounts (id) on delete cascade,
  sign_in_provider_id uuid references sign_in_providers (id) on delete cascade,
  -- The user who links an identity.
  user_id uuid references users (id) on delete cascade,
  -- SHA-256 of what only the browser that began knows: its cookie, or the verifier of its challenge.
  binding bytea not null check (octet_length(binding) = 32),
  -- Sealed: nonce and PKCE verifier, or the id of the SAML request.
  secrets bytea not null,
  return_to text not null,
  expires_at timestamptz not null,
  -- Set when the provider has returned the browser: from then on the state is spent.
  returned_at timestamptz,
  -- SHA-256 of the one-time code, and the sealed claims of the provider.
  code_hash bytea unique check (octet_length(code_hash) = 32),
  code_expires_at timestamptz,
  claims bytea,
  check (num_nulls(code_hash, code_expires_at, claims) in (0, 3))
);

create index external_sign_ins_by_end on external_sign_ins (expires_at);
create index external_sign_ins_by_account on external_sign_ins (account_id);
create index external_sign_ins_by_sign_in_provider on external_sign_ins (sign_in_provider_id);
create index external_sign_ins_by_user on external_sign_ins (user_id);

select millrace_isolate('external_sign_ins', privileges => 'select, insert, delete');

-- Assertions of SAML that were accepted, until they expire: none is accepted twice.
create table saml_assertions (
  sign_in_provider_id uuid not null references sign_in_providers (id) on delete cascade,
  assertion_hash bytea not null check (octet_length(assertion_hash) = 32),
  expires_at timestamptz not null,
  primary key (sign_in_provider_id, assertion_hash)
);

create index saml_assertions_by_end on saml_assertions (expires_at);
