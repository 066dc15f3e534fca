import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Chain, ChainMember } from './model.ts'
import { nameSource } from '#platform/db/name-source.ts'

type Executor = Kysely<Rows>

interface ChainRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly members: string
  readonly workflow_id: string
  readonly compiled: string
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** The time and author of a change, the author as `kind:id`. */
interface Authorship {
  readonly at: Date
  readonly by: string
}

export type ChainContent = Pick<Chain, 'id' | 'name' | 'description' | 'members' | 'workflowId' | 'compiled'>

const columns = sql`id, name, description, members::text as members, workflow_id, compiled::text as compiled, revision, created_at, updated_at`

/** Counts an account's chains, one request at a time. */
export async function countChains(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('chains/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from chains where account_id = ${accountId}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function insertChain(tx: Executor, accountId: string, chain: ChainContent, { at, by }: Authorship): Promise<void> {
  await sql`
    insert into chains (id, account_id, name, description, members, workflow_id, compiled, created_at, created_by, updated_at, updated_by)
    values (${chain.id}, ${accountId}, ${chain.name}, ${chain.description ?? null}, ${JSON.stringify(chain.members)}, ${chain.workflowId},
      ${chain.compiled}, ${at}, ${by}, ${at}, ${by})`.execute(tx)
}

export async function updateChain(tx: Executor, accountId: string, chain: ChainContent, { at, by }: Authorship): Promise<void> {
  await sql`
    update chains set name = ${chain.name}, description = ${chain.description ?? null}, members = ${JSON.stringify(chain.members)},
      compiled = ${chain.compiled}, revision = revision + 1, updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${chain.id}`.execute(tx)
}

export async function listChains(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Chain[]> {
  const { rows } = await sql<ChainRow>`
    select ${columns} from chains where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(chainOf)
}

export async function findChain(tx: Executor, accountId: string, id: string): Promise<Chain | undefined> {
  const { rows } = await sql<ChainRow>`select ${columns} from chains where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : chainOf(rows[0])
}

/** Finds a chain and locks it until the transaction ends. */
export async function lockChain(tx: Executor, accountId: string, id: string): Promise<Chain | undefined> {
  const { rows } = await sql<ChainRow>`
    select ${columns} from chains where account_id = ${accountId} and id = ${id} for no key update`.execute(tx)
  return rows[0] === undefined ? undefined : chainOf(rows[0])
}

export async function deleteChain(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from chains where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function purgeChains(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from chains where account_id = ${accountId}`.execute(executor)
}

function chainOf(row: ChainRow): Chain {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above from members.
    members: JSON.parse(row.members) as readonly ChainMember[],
    workflowId: row.workflow_id,
    compiled: row.compiled,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const chainNames = nameSource('chn', sql`select id, account_id, name, name as words from chains`)
