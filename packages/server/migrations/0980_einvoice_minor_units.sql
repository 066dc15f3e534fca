-- Totals in summaries are in the minor unit of ISO 4217. Those of these currencies were in whole units, since people rarely write their decimals.
update einvoices set summary = jsonb_set(summary, '{totals}', (
  select jsonb_object_agg(key, value::numeric * case summary ->> 'currency' when 'IQD' then 1000 else 100 end)
  from jsonb_each_text(summary -> 'totals')
))
where summary ? 'totals' and summary ->> 'currency' in
  ('AFN', 'ALL', 'COP', 'HUF', 'IDR', 'IQD', 'IRR', 'KPW', 'LAK', 'LBP', 'MGA', 'MMK', 'PKR', 'SLL', 'SOS', 'SYP', 'YER');
