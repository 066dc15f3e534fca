-- Codes by which accounts refer others, and who was referred.
create table referral_codes (
  code text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  visits bigint not null default 0,
  created_at timestamptz not null
);

create index referral_codes_by_account on referral_codes (account_id, created_at desc);

select millrace_isolate('referral_codes');

-- An account is referred once. The row names two accounts, so only the owner's connections read it.
create table referrals (
  referred_id uuid primary key references accounts (id) on delete cascade,
  referrer_id uuid not null references accounts (id) on delete cascade,
  code text not null,
  created_at timestamptz not null,
  rewarded_at timestamptz,
  check (referred_id <> referrer_id)
);

create index referrals_by_referrer on referrals (referrer_id);
