import { endedExecutionsSql } from '@millrace/engine/storage'
import { type RawBuilder, sql } from 'kysely'

/** Enabled triggers `t` that ends of executions fire; `triggers_of_events` leads to them. */
const byEndsSql = sql`t.kind = 'event' and t.enabled and event_types_name_lifecycle(t.event_types)`

/**
 * Fires the triggers of the accounts of ends: a statement over a relation of taken ends, each of which it may see once. The executions of accounts without
 * such a trigger are not read. Ends that another execution waits for, and ends of what an end has started, fire nothing; tests are no ends.
 */
export function fireByEndsSql(ends: RawBuilder<unknown>): RawBuilder<unknown> {
  const wanted = sql`(select * from ${ends} n where exists (select from triggers t where t.account_id = n.account_id and ${byEndsSql}))`
  return sql`
    insert into trigger_firings (id, account_id, trigger_id, cause, due_at, ready_at, execution_id, depth)
    select millrace_uuid_v7(), e.account_id, t.id, 'end:' || e.id, e.ended_at, now(), e.id, e.depth
    from (${endedExecutionsSql(wanted)}) e join triggers t on t.account_id = e.account_id
    where ${byEndsSql} and e.parent_id is null and e.caused_by is null
      and event_type_matches('io.serverlessworkflow.workflow.' || e.state || '.v1', t.event_types)
      and coalesce((t.settings -> 'workflowIds')::jsonb ? e.workflow_id::text, true)
    on conflict (trigger_id, cause) do nothing`
}
