import type { Json } from '@millrace/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type Approval, approvalTopic, type ApprovalState } from './model.ts'

export type Executor = Kysely<Rows>

interface ApprovalRow {
  readonly id: string
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly arguments: string
  readonly opened_at: Date
  readonly state: ApprovalState
  readonly steps: number
  readonly barred: string[]
  readonly ended_at: Date | null
  readonly awaited: boolean
}

// Not `exists`, for which the planner would read all waits of everybody at once when it expects many rows, and the page ends after few.
const columns = sql`a.id, a.account_id, a.execution_id, a.position, a.arguments, a.opened_at, a.state, a.steps, a.barred, a.ended_at, coalesce((
  select true from waits w where w.execution_id = a.execution_id and w.position = a.position and w.topic = ${sql.lit(approvalTopic)} limit 1), false) as awaited`

export interface ListOptions {
  readonly state: ApprovalState | undefined
  /** Ids less than this one. */
  readonly before: string | undefined
  readonly limit: number
}

/** Approvals of an account, newest first. */
export function listApprovals(tx: Executor, accountId: string, options: ListOptions): Promise<readonly Approval[]> {
  return page(tx, accountId, options, sql`true`)
}

/** Approvals of an execution, newest first. */
export function listOfExecution(tx: Executor, accountId: string, executionId: string, options: ListOptions): Promise<readonly Approval[]> {
  return page(tx, accountId, options, sql`a.execution_id = ${executionId}`)
}

/** Approvals for which somebody is asked; of open ones those that they can still answer. */
export function listAsked(
  tx: Executor,
  accountId: string,
  { userId, personKey, keys }: { readonly userId: string; readonly personKey: string; readonly keys: readonly string[] },
  options: ListOptions,
): Promise<readonly Approval[]> {
  const answered = sql`exists (select from approval_answers r where r.account_id = a.account_id and r.approval_id = a.id and r.person = ${personKey})`
  const asked = sql`a.asked && ${storedKeys(accountId, keys)}::text[] and not ${userId} = any(a.barred)`
  // For open ones by approvals_asked: most people are asked for few of all that an account has open.
  return page(tx, accountId, options, options.state === 'open' ? sql`${asked} and not ${answered}` : sql`(${asked} or ${answered})`)
}

/** Roles stand with their account, so that the index tells those of one account from those of all others. */
function storedKeys(accountId: string, keys: readonly string[]): readonly string[] {
  return keys.map((key) => (key.startsWith('role:') ? `${key}:${accountId}` : key))
}

async function page(
  tx: Executor,
  accountId: string,
  { state, before, limit }: ListOptions,
  filter: RawBuilder<unknown>,
): Promise<readonly Approval[]> {
  // An open one that nothing waits for is about to be closed.
  const awaited = sql`coalesce((select true from waits w where w.execution_id = a.execution_id and w.position = a.position limit 1), false)`
  const inState =
    state === undefined
      ? sql`true`
      : state === 'open'
        ? sql`a.state = 'open' and ${awaited}`
        : state === 'closed'
          ? sql`a.state in ('open', 'closed') and (a.state = 'closed' or not ${awaited})`
          : sql`a.state = ${state}`
  const { rows } = await sql<ApprovalRow>`
    select ${columns} from approvals a
    where a.account_id = ${accountId} and ${inState} and ${filter} ${before === undefined ? sql`` : sql`and a.id < ${before}`}
    order by a.id desc limit ${limit}`.execute(tx)
  return rows.map(approvalOf)
}

export async function findApproval(tx: Executor, accountId: string, id: string): Promise<Approval | undefined> {
  const { rows } = await sql<ApprovalRow>`
    select ${columns} from approvals a where a.account_id = ${accountId} and a.id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : approvalOf(rows[0])
}

/** Finds an approval and holds on to it until the transaction ends, so that answers are counted one after another. */
export async function lockApproval(tx: Executor, accountId: string, id: string): Promise<Approval | undefined> {
  await sql`select from approvals where account_id = ${accountId} and id = ${id} for no key update`.execute(tx)
  // Read in a statement of its own: its snapshot is taken after the lock, and so has what whoever held it before has written.
  return findApproval(tx, accountId, id)
}

/** Approvals that were opened and about which nothing has been worked out yet; waits for the keeper where it is just at one of them. */
export async function findUntold(tx: Executor, accountId: string, limit: number): Promise<readonly Approval[]> {
  const { rows } = await sql<ApprovalRow>`
    select ${columns} from approvals a
    where a.account_id = ${accountId} and a.steps = 0 and a.state = 'open' and a.asked = '{}'
    order by a.id desc limit ${limit} for no key update of a`.execute(tx)
  return rows.map(approvalOf)
}

export async function hasExecution(tx: Executor, accountId: string, executionId: string): Promise<boolean> {
  const { rows } = await sql`select from executions where account_id = ${accountId} and id = ${executionId}`.execute(tx)
  return rows.length > 0
}

/** Puts down who is asked, and who may not answer. */
export async function writeAsked(
  tx: Executor,
  accountId: string,
  id: string,
  { asked, barred }: { readonly asked: readonly string[]; readonly barred: readonly string[] },
): Promise<void> {
  await sql`update approvals set asked = ${storedKeys(accountId, asked)}, barred = ${barred}::uuid[] where account_id = ${accountId} and id = ${id}`.execute(
    tx,
  )
}

export async function writeSteps(
  tx: Executor,
  accountId: string,
  id: string,
  { steps, dueAt }: { readonly steps: number; readonly dueAt: Date | undefined },
): Promise<void> {
  await sql`update approvals set steps = ${steps}, due_at = ${dueAt ?? null} where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export interface Ending {
  readonly state: Exclude<ApprovalState, 'open'>
  readonly at: Date
  /** What the execution gets; none for one that it does not wait for any more. */
  readonly output: Json | undefined
  /** When to hand it over, should whoever decided not have come to it. */
  readonly dueAt: Date | undefined
}

/** Ends an open approval, which the transaction has locked. */
export async function writeEnd(tx: Executor, accountId: string, id: string, { state, at, output, dueAt }: Ending): Promise<void> {
  await sql`
    update approvals set state = ${state}, ended_at = ${at}, output = ${output === undefined ? null : JSON.stringify(output)}, due_at = ${dueAt ?? null}
    where account_id = ${accountId} and id = ${id} and state = 'open'`.execute(tx)
}

function approvalOf(row: ApprovalRow): Approval {
  return {
    id: row.id,
    accountId: row.account_id,
    executionId: row.execution_id,
    position: row.position,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json holds nothing else.
    arguments: JSON.parse(row.arguments) as Json,
    openedAt: row.opened_at,
    state: row.state,
    steps: row.steps,
    barred: row.barred,
    endedAt: row.ended_at ?? undefined,
    awaited: row.awaited,
  }
}
