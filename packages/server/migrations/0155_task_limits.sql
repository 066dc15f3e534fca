-- The plans limit tasks as well. A plan whose limits an operator has changed stays as it is.
update plans set limits = limits || seeded.tasks, revision = plans.revision + 1
from (values
  ('free', '{"tasks": {"soft": 10000, "hard": 10000}}'::jsonb),
  ('pro', '{"tasks": {"soft": 500000, "hard": 600000}}'::jsonb),
  ('business', '{"tasks": {"soft": 5000000, "hard": 6000000}}'::jsonb),
  ('enterprise', '{"tasks": {"soft": 50000000, "hard": null}}'::jsonb)
) as seeded (tier, tasks)
where plans.tier = seeded.tier and plans.revision = 1 and not plans.limits ? 'tasks';
