-- What an account may use of models by its own choice, in a calendar month and in a day (UTC); null for no limit. Costs are in millionths.
alter table account_model_settings add column month_cost_micros bigint check (month_cost_micros > 0);
alter table account_model_settings add column month_tokens bigint check (month_tokens > 0);
alter table account_model_settings add column day_cost_micros bigint check (day_cost_micros > 0);
alter table account_model_settings add column day_tokens bigint check (day_tokens > 0);
-- Percent of a limit at which administrators are notified.
alter table account_model_settings add column warn_percent integer not null default 80 check (warn_percent between 1 and 99);
-- The currency of the prices, ISO 4217; null if the account does not say.
alter table account_model_settings add column currency text check (currency ~ '^[A-Z]{3}$');
