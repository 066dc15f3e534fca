import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** The names of workflows by id; those of deleted ones as well, while they are kept. */
export async function findWorkflowNames(
  executor: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly id: string; readonly name: string }>`
    select id, name from workflows where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(executor)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const namesMax = 100

/** Ids of workflows whose name contains a text, in any case, at most 100. */
export async function findWorkflowsByName(executor: Kysely<Rows>, accountId: string, part: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from workflows where account_id = ${accountId} and strpos(lower(name), lower(${part})) > 0 order by id desc limit ${namesMax}`.execute(
    executor,
  )
  return rows.map(({ id }) => id)
}
