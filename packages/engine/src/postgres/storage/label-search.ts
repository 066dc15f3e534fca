import { type RawBuilder, sql } from 'kysely'
import type { SqlExecutor } from './sql-database.ts'

/** A label that an execution must have. */
export interface LabelFilter {
  readonly name: string
  readonly value: string
}

/** A value under any of some names. */
export interface LabelValue {
  readonly names: readonly string[]
  readonly value: string
}

/** Names under which one value is looked for. */
const namesMax = 50
/** Rows that are counted to find the rarest of several labels. */
const countedMax = 1_000

/** The names under which executions of the account have a label of exactly this value: one probe of the index for each. */
export async function labelNamesOf(executor: SqlExecutor, accountId: string, value: string): Promise<readonly string[]> {
  const names = (more: RawBuilder<unknown>) => sql`select l.name from execution_labels l
    where l.account_id = ${accountId} and l.value = ${value} and ${more} order by l.name limit 1`
  const { rows } = await sql<{ name: string }>`
    with recursive found as (
      (${names(sql`true`)}) union all select (${names(sql`l.name > found.name`)}) from found where found.name is not null
    )
    select name from found where name is not null limit ${namesMax}`.execute(executor)
  return rows.map(({ name }) => name)
}

/** The label that the fewest executions have, as far as they are counted: its executions are examined for the others. */
export async function rarestLabel(
  executor: SqlExecutor,
  accountId: string,
  labels: readonly [LabelFilter, ...LabelFilter[]],
): Promise<LabelFilter> {
  const [first] = labels
  if (labels.length === 1) return first
  const { rows } = await sql<LabelFilter>`
    select w.name, w.value from unnest(${labels.map(({ name }) => name)}::text[], ${labels.map(({ value }) => value)}::text[])
        with ordinality as w (name, value, number)
      cross join lateral (
        select count(*) as count from (
          select from execution_labels where account_id = ${accountId} and value = w.value and name = w.name limit ${countedMax}
        ) counted
      ) c
    order by c.count, w.number limit 1`.execute(executor)
  return rows[0] ?? first
}

/**
 * Ids of executions with the value as `labelled`, newest first, at most `limit`: one ordered scan of execution_labels_by_value for each name.
 * @param bounds conditions on `execution_id`.
 */
export function labelledIds(
  accountId: string,
  { names, value }: LabelValue,
  bounds: readonly RawBuilder<unknown>[],
  limit: number,
): RawBuilder<unknown> {
  return sql`select distinct one.execution_id from unnest(${[...names]}::text[]) as n (name) cross join lateral (
      select execution_id from execution_labels where ${sql.join(
        [sql`account_id = ${accountId}`, sql`value = ${value}`, sql`name = n.name`, ...bounds],
        sql` and `,
      )} order by execution_id desc limit ${limit}
    ) one order by one.execution_id desc limit ${limit}`
}

/** Whether the execution of the candidate has the value: a range of the primary key, of at most ten rows. */
export function hasLabel({ names, value }: LabelValue): RawBuilder<unknown> {
  return sql`exists (select from execution_labels l
    where l.execution_id = candidates.id and l.value = ${value} and l.name = any(${[...names]}::text[]))`
}
