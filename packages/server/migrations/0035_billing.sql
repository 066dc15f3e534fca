-- Plans, subscriptions, payments and invoices. Amounts are whole numbers of the minor unit of their currency.

-- Data of the installation, which an operator edits. There is no account_id: every account sees the same plans.
create table plans (
  tier text primary key check (tier ~ '^[a-z][a-z0-9-]{0,39}$'),
  name text not null check (char_length(name) between 1 and 100),
  rank integer not null,
  -- By meter: { soft, hard }, each null for no limit.
  limits jsonb not null,
  -- [{ currency, interval, amount }]; empty for a plan without a price.
  prices jsonb not null,
  trial_days integer not null check (trial_days between 0 and 365),
  -- Whether accounts may choose it by themselves.
  is_public boolean not null,
  revision integer not null default 1,
  updated_at timestamptz not null default now()
);

insert into plans (tier, name, rank, limits, prices, trial_days, is_public) values
  ('unlimited', 'Unlimited', 0, '{}', '[]', 0, false),
  ('free', 'Free', 10,
    '{"executions": {"soft": 1000, "hard": 1000}, "users": {"soft": 3, "hard": 3}, "storage_bytes": {"soft": 1073741824, "hard": 1073741824}, "ai_tokens": {"soft": 100000, "hard": 100000}}',
    '[]', 0, true),
  ('pro', 'Pro', 20,
    '{"executions": {"soft": 50000, "hard": 60000}, "users": {"soft": 20, "hard": 20}, "storage_bytes": {"soft": 53687091200, "hard": 53687091200}, "ai_tokens": {"soft": 5000000, "hard": 6000000}}',
    '[{"currency": "EUR", "interval": "month", "amount": 2900}, {"currency": "EUR", "interval": "year", "amount": 29000}, {"currency": "USD", "interval": "month", "amount": 3200}, {"currency": "USD", "interval": "year", "amount": 32000}, {"currency": "JPY", "interval": "month", "amount": 4800}, {"currency": "JPY", "interval": "year", "amount": 48000}, {"currency": "BHD", "interval": "month", "amount": 12000}, {"currency": "BHD", "interval": "year", "amount": 120000}]',
    14, true),
  ('business', 'Business', 30,
    '{"executions": {"soft": 500000, "hard": 600000}, "users": {"soft": 100, "hard": 100}, "storage_bytes": {"soft": 536870912000, "hard": 536870912000}, "ai_tokens": {"soft": 50000000, "hard": 60000000}}',
    '[{"currency": "EUR", "interval": "month", "amount": 14900}, {"currency": "EUR", "interval": "year", "amount": 149000}, {"currency": "USD", "interval": "month", "amount": 16500}, {"currency": "USD", "interval": "year", "amount": 165000}, {"currency": "JPY", "interval": "month", "amount": 24800}, {"currency": "JPY", "interval": "year", "amount": 248000}, {"currency": "BHD", "interval": "month", "amount": 62000}, {"currency": "BHD", "interval": "year", "amount": 620000}]',
    14, true),
  ('enterprise', 'Enterprise', 40, '{"executions": {"soft": 5000000, "hard": null}}', '[]', 0, false);

-- One row for each account that has ever chosen a plan; an account without one has the default plan of the installation.
create table billing_subscriptions (
  account_id uuid primary key references accounts (id) on delete cascade,
  id uuid not null unique,
  tier text not null,
  state text not null check (state in ('trialing', 'active', 'past_due', 'cancelling', 'cancelled', 'expired')),
  -- Who pays: `automatic` charges the payment method; `manual` was activated by an operator; `none` has no price.
  collection text not null check (collection in ('automatic', 'manual', 'none')),
  term text check (term in ('month', 'year')),
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Net, of one interval. A later change of the plan's price does not change it.
  price bigint check (price >= 0),
  -- Country of the customer, which decides the tax.
  country text check (country ~ '^[A-Z]{2}$'),
  -- The day and time of the month at which periods begin.
  anchor timestamptz not null,
  period_start timestamptz not null,
  -- Null: the subscription has no end.
  period_end timestamptz,
  trial_end timestamptz,
  had_trial boolean not null default false,
  -- Takes effect at the end of the period: { tier, term, price }.
  pending jsonb,
  provider text,
  customer text,
  payment_method text,
  -- While the state is past_due.
  failed_at timestamptz,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((collection = 'automatic') <= (price is not null and currency is not null and term is not null))
);

create index billing_subscriptions_due on billing_subscriptions (period_end) where period_end is not null and state in ('trialing', 'active', 'cancelling');
create index billing_subscriptions_retry on billing_subscriptions (next_attempt_at) where state = 'past_due';

select millrace_isolate('billing_subscriptions', privileges => 'select');

-- Money that was asked for by a provider. The row is committed before the provider is called, and its id is the idempotency key there.
-- Payments and invoices are records of the issuer, and so outlive their account.
create table billing_payments (
  id uuid primary key,
  account_id uuid not null,
  kind text not null check (kind in ('checkout', 'change', 'renewal')),
  provider text not null,
  state text not null check (state in ('open', 'succeeded', 'failed', 'expired', 'refunding', 'refunded')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- What it pays for: the lines of the invoice and the change of the subscription.
  purchase jsonb not null,
  invoice_id uuid,
  -- Of the object at the provider; null until the provider has answered.
  reference text,
  url text,
  expires_at timestamptz,
  failure text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- When the provider is asked again.
  check_at timestamptz,
  -- Paid back by the provider so far.
  refunded bigint not null default 0
);

-- Two requests at once never make two charges: an account has one open checkout and one open charge.
create unique index billing_payments_one_checkout on billing_payments (account_id) where state = 'open' and kind = 'checkout';
create unique index billing_payments_one_charge on billing_payments (account_id) where state = 'open' and kind <> 'checkout';
create unique index billing_payments_by_reference on billing_payments (provider, reference) where reference is not null;
create index billing_payments_to_check on billing_payments (check_at) where check_at is not null;
create index billing_payments_by_account on billing_payments (account_id, id desc);

select millrace_isolate('billing_payments', privileges => 'select');

-- The last number of each issuer. The transaction that issues an invoice locks its row, so numbers have no gaps.
create table invoice_numbers (
  issuer text primary key,
  last bigint not null
);

create table invoices (
  id uuid primary key,
  account_id uuid not null,
  issuer text not null,
  number bigint not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  state text not null check (state in ('open', 'paid', 'uncollectible')),
  currency text not null,
  -- [{ description, net }]
  lines jsonb not null,
  net bigint not null,
  tax bigint not null,
  tax_basis_points integer not null,
  total bigint not null,
  -- The part of the total that credits of the account paid.
  credit bigint not null,
  due bigint not null,
  -- { name, email, country } at the time of issue.
  buyer jsonb not null,
  period_start timestamptz,
  period_end timestamptz,
  -- The invoice that a credit note corrects.
  corrects uuid,
  reason text,
  issued_at timestamptz not null,
  paid_at timestamptz,
  unique (issuer, number),
  check (total = net + tax and due = total - credit and credit >= 0 and due >= 0)
);

create index invoices_by_account on invoices (account_id, id desc);

select millrace_isolate('invoices', privileges => 'select');

-- An issued invoice never changes. Only an open one is paid or written off.
create function invoices_refuse_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and old.state = 'open' and new.state in ('paid', 'uncollectible')
    and to_jsonb(new) - 'state' - 'paid_at' = to_jsonb(old) - 'state' - 'paid_at' then
    return new;
  end if;
  raise exception 'invoices are immutable: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;

create trigger invoices_immutable before update or delete on invoices
  for each row execute function invoices_refuse_change();
create trigger invoices_no_truncate before truncate on invoices
  for each statement execute function invoices_refuse_change();

-- Credit of an account, as a ledger: the balance is the sum. `cause` makes an entry unique.
create table billing_credits (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  currency text not null,
  amount bigint not null check (amount <> 0),
  reason text not null check (reason in ('proration', 'referral', 'spent', 'returned')),
  cause text not null,
  created_at timestamptz not null,
  unique (account_id, reason, cause)
);

select millrace_isolate('billing_credits', privileges => 'select');
