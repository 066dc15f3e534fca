import { sql } from 'kysely'
import { isPendingSql } from './delivery-state.ts'

const first = sql`select d.subscription_id, d.account_id, d.due_at from event_deliveries d where d.${isPendingSql}`
const order = sql`order by d.subscription_id, d.due_at limit 1`

/**
 * For `with recursive`: the pending delivery of each subscription that is due first, as `heads (subscription_id, account_id, due_at)`. One descent of
 * event_deliveries_due for each subscription with pending deliveries, whatever their number; a `select distinct` would read all rows.
 */
export const pendingHeadsSql = sql`
  heads as (
    (${first} ${order})
    union all
    select n.subscription_id, n.account_id, n.due_at
    from heads h cross join lateral (${first} and d.subscription_id > h.subscription_id ${order}) n
  )`
