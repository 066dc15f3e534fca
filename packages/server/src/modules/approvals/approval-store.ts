import { decidingRoles, hasRole } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { isExecutionMissingSql, isWaitOpenSql } from '@millrace/engine/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type ApprovalState, closedUnlessEndedSql, type EndState, isOpenSql } from './approval-state.ts'
import { type Approval, approvalTopic, type Reassignment } from './model.ts'
import { readableArguments } from './readable-arguments.ts'

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
  readonly escalated: number
  readonly barred: string[]
  readonly reassigned: string | null
  readonly ended_at: Date | null
  readonly awaited: boolean
}

const isAwaitedSql = isWaitOpenSql({ executionId: sql`a.execution_id`, position: sql`a.position`, topic: approvalTopic })
const columnsWith = (argumentsSql: RawBuilder<unknown>) =>
  sql`a.id, a.account_id, a.execution_id, a.position, ${argumentsSql} as arguments, a.opened_at, a.state, a.steps, a.escalated, a.barred, a.reassigned,
    a.ended_at, ${isAwaitedSql} as awaited`
const columns = columnsWith(sql`a.arguments`)
/** Without what only those read who decide, of which one approval may have 16 MiB: a list has many. */
const summaryColumns = columnsWith(sql`(
  select json_strip_nulls(row_to_json(m)) from json_to_record(${readableArguments(sql`a.arguments`)}) as m (title json, approvers json, required json, veto json, reason json,
    deadline json, "onDeadline" json, "excludeStarter" json, escalation json))`)

export interface ListOptions {
  readonly state: ApprovalState | undefined
  /** Only ids less than this one. */
  readonly before: string | undefined
  readonly limit: number
}

/** Approvals of an account, newest first, as all lists without their descriptions, details and forms. */
export function listApprovals(tx: Executor, accountId: string, options: ListOptions): Promise<readonly Approval[]> {
  return page(tx, accountId, options, sql`true`)
}

/** Approvals of an execution, newest first, in full. */
export function listOfExecution(tx: Executor, accountId: string, executionId: string, options: ListOptions): Promise<readonly Approval[]> {
  return page(tx, accountId, options, sql`a.execution_id = ${executionId}`, columns)
}

/** A user with the keys of the approvers that the user matches, and those under which the user may have decided. */
interface UserKeys {
  readonly userId: string
  readonly keys: readonly string[]
  readonly nameKeys: readonly string[]
}

/** Approvals of which a person is or was an approver; of open ones those that the person can still decide. */
export function listDecidable(
  tx: Executor,
  accountId: string,
  { userId, nameKeys, keys }: UserKeys,
  options: ListOptions,
): Promise<readonly Approval[]> {
  const hasDecided = sql`exists (select from approval_answers r where r.account_id = a.account_id and r.approval_id = a.id and r.person = any(${[...nameKeys]}::text[]))`
  const isApprover = sql`a.asked && ${indexedKeys(accountId, keys)}::text[] and not ${userId} = any(a.barred)`
  // Open ones by the index approvals_asked: most people are approvers of few of an account's open approvals.
  return page(
    tx,
    accountId,
    options,
    options.state === 'open' ? sql`${isApprover} and not ${hasDecided}` : sql`(${isApprover} or ${hasDecided})`,
  )
}

/** Open approvals that no person can decide any more, or with `except` none but this user. */
export function listUndecidable(
  tx: Executor,
  accountId: string,
  options: ListOptions,
  except: UserKeys | undefined,
): Promise<readonly Approval[]> {
  const isUndecidable = sql`not ${deciderExistsSql(accountId, except?.userId)} and not ${linkExistsSql}`
  if (except === undefined) return page(tx, accountId, { ...options, state: 'open' }, sql`a.steps > 0 and ${isUndecidable}`)
  const { userId, nameKeys, keys } = except
  const mayDecide = sql`a.asked && ${indexedKeys(accountId, keys)}::text[] and not ${userId} = any(a.barred)
    and not exists (select from approval_answers r where r.account_id = a.account_id and r.approval_id = a.id and r.person = any(${[...nameKeys]}::text[]))`
  return page(tx, accountId, { ...options, state: 'open' }, sql`${linksAreMadeSql} and ${isUndecidable} and ${mayDecide}`)
}

/** Whether a user who has not decided is asked. The keys are those of `approverKeysOf`, as the index has them. */
function deciderExistsSql(accountId: string, exceptUserId: string | undefined): RawBuilder<unknown> {
  const roleKeys = sql.join(
    decidingRoles.map(
      (role) =>
        sql`case when u.role = any(${decidingRoles.filter((other) => hasRole(other, role))}::text[]) then ${`role:${role}:${accountId}`} end`,
    ),
  )
  return sql`exists (
    select from users u where u.account_id = a.account_id and u.id is distinct from ${exceptUserId ?? null}::uuid and not u.id = any(a.barred)
      and u.role = any(${[...decidingRoles]}::text[])
      and a.asked && array_remove(array['user:' || u.id, 'mail:' || u.email, ${roleKeys}]::text[], null)
      and not exists (select from approval_answers r where r.account_id = a.account_id and r.approval_id = a.id and r.person in ('user:' || u.id, 'mail:' || u.email)))`
}

/** Whether all people from outside who are asked have their links: the processor makes them, about a second after an approval has opened. */
const linksAreMadeSql = sql`(a.steps > 0 or not exists (
  select from unnest(a.asked) as k (key) where k.key like 'mail:%'
    and not exists (select from users u where u.account_id = a.account_id and 'mail:' || u.email = k.key)))`

/** Whether a person from outside has a link that they have not used, or will get it. The address is as the workflow has it, the keys have its canonical form. */
const linkExistsSql = sql`exists (
  select from approval_mails l cross join lateral (select 'mail:' || lower(normalize(l.email, nfkc)) as key) k
  where l.account_id = a.account_id and l.approval_id = a.id and l.kind = 'link' and l.user_id is null
    and (l.sent_at is not null or l.next_attempt_at is not null) and k.key = any(a.asked)
    and not exists (
      select from approval_answers r where r.account_id = a.account_id and r.approval_id = a.id
        and 'mail:' || lower(normalize(r.email, nfkc)) = k.key))`

/** Records who decides in place of approvers. The processor begins all stages again and invites those who have no invitation. */
export async function writeReassigned(
  tx: Executor,
  accountId: string,
  id: string,
  { reassigned, dueAt }: { readonly reassigned: readonly Reassignment[]; readonly dueAt: Date },
): Promise<void> {
  await sql`
    update approvals set reassigned = ${JSON.stringify(reassigned)}::json, steps = 0, due_at = ${dueAt}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** The keys as the index has them: role keys include the account, since all accounts have the same roles. */
function indexedKeys(accountId: string, keys: readonly string[]): readonly string[] {
  return keys.map((key) => (key.startsWith('role:') ? `${key}:${accountId}` : key))
}

async function page(
  tx: Executor,
  accountId: string,
  { state, before, limit }: ListOptions,
  filter: RawBuilder<unknown>,
  selected = summaryColumns,
): Promise<readonly Approval[]> {
  // An open approval that no execution waits for counts as closed: the processor is about to close it.
  const inState =
    state === undefined
      ? sql`true`
      : state === 'open'
        ? sql`a.state = 'open' and ${isAwaitedSql}`
        : state === 'closed'
          ? sql`a.state in ('open', 'closed') and (a.state = 'closed' or not ${isAwaitedSql})`
          : sql`a.state = ${state}`
  const { rows } = await sql<ApprovalRow>`
    select ${selected} from approvals a
    where a.account_id = ${accountId} and ${inState} and ${filter} ${before === undefined ? sql`` : sql`and a.id < ${before}`}
    order by a.id desc limit ${limit}`.execute(tx)
  return rows.map(approvalOf)
}

interface EndedRow {
  readonly executionId: string
  readonly state: 'approved' | 'rejected' | 'expired'
  readonly endedAt: Date
  /** The argument. */
  readonly onDeadline: string | null
}

/** Of each execution, the last approval that expired, and the last one that was decided. */
export async function listLastEnded(tx: Executor, accountId: string, executionIds: readonly string[]): Promise<readonly EndedRow[]> {
  if (executionIds.length === 0) return []
  const { rows } = await sql<EndedRow>`
    select distinct on (a.execution_id, a.state = 'expired')
      a.execution_id as "executionId", a.state, a.ended_at as "endedAt", (${readableArguments(sql`a.arguments`)}) ->> 'onDeadline' as "onDeadline"
    from approvals a
    where a.account_id = ${accountId} and a.execution_id = any(${executionIds}::uuid[]) and a.state in ('approved', 'rejected', 'expired')
    order by a.execution_id, a.state = 'expired', a.ended_at desc`.execute(tx)
  return rows
}

export async function findApproval(tx: Executor, accountId: string, id: string): Promise<Approval | undefined> {
  const { rows } = await sql<ApprovalRow>`
    select ${columns} from approvals a where a.account_id = ${accountId} and a.id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : approvalOf(rows[0])
}

/** Finds an approval and locks it until the transaction ends, so that decisions count one after another. */
export async function lockApproval(tx: Executor, accountId: string, id: string): Promise<Approval | undefined> {
  await sql`select from approvals where account_id = ${accountId} and id = ${id} for no key update`.execute(tx)
  // A second statement: its snapshot is taken after the lock, so it sees the decisions of the previous owner of the lock.
  return findApproval(tx, accountId, id)
}

/** Finds approvals whose approvers have not been recorded, newest first, as lists have them, and locks them; waits where the processor has locked one. */
export async function findWithoutApprovers(tx: Executor, accountId: string, limit: number): Promise<readonly Approval[]> {
  const { rows } = await sql<ApprovalRow>`
    select ${summaryColumns} from approvals a
    where a.account_id = ${accountId} and a.steps = 0 and a.${isOpenSql} and a.asked = '{}'
    order by a.id desc limit ${limit} for no key update of a`.execute(tx)
  return rows.map(approvalOf)
}

/** Locks the approval that is due first, of those that no other transaction has locked. */
export async function lockDueApproval(tx: Executor, now: Date): Promise<Pick<Approval, 'id' | 'accountId'> | undefined> {
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    select id, account_id from approvals where due_at <= ${now} order by due_at limit 1 for no key update skip locked`.execute(tx)
  return rows[0] === undefined ? undefined : { id: rows[0].id, accountId: rows[0].account_id }
}

/** Postpones the work on an approval that has some. */
export async function postpone(db: Executor, id: string, dueAt: Date): Promise<void> {
  await sql`update approvals set due_at = ${dueAt} where id = ${id} and due_at is not null`.execute(db)
}

/** Records the approvers, and the users who may not decide. */
export async function writeApprovers(
  tx: Executor,
  accountId: string,
  id: string,
  { approverKeys, excludedUserIds }: { readonly approverKeys: readonly string[]; readonly excludedUserIds: readonly string[] },
): Promise<void> {
  await sql`
    update approvals set asked = ${indexedKeys(accountId, approverKeys)}, barred = ${excludedUserIds}::uuid[]
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function writeStagesTaken(
  tx: Executor,
  accountId: string,
  id: string,
  { stagesTaken, dueAt }: { readonly stagesTaken: number; readonly dueAt: Date | undefined },
): Promise<void> {
  await sql`
    update approvals set steps = ${stagesTaken}, escalated = greatest(escalated, ${stagesTaken - 1}::int2), due_at = ${dueAt ?? null}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export interface ApprovalEnd {
  readonly state: EndState
  readonly at: Date
  /** The result for the waiting task; `undefined` where the execution waits no more. */
  readonly output: Json | undefined
  /** When the processor resumes the execution, unless that was done before. */
  readonly dueAt: Date | undefined
}

/** Ends an open approval that the transaction has locked. */
export async function writeEnd(tx: Executor, accountId: string, id: string, { state, at, output, dueAt }: ApprovalEnd): Promise<void> {
  await sql`
    update approvals set state = ${state}, ended_at = ${at}, output = ${output === undefined ? null : JSON.stringify(output)}, due_at = ${dueAt ?? null}
    where account_id = ${accountId} and id = ${id} and ${isOpenSql}`.execute(tx)
}

/** Consumes at most `limit` rows of `approval_ends` and closes those approvals that are still open. */
export async function closeApprovalsOfEndedWaits(
  db: Executor,
  at: Date,
  limit: number,
): Promise<{ readonly endedWaits: number; readonly approvalIds: readonly string[] }> {
  const { rows } = await sql<{ readonly id: string | null }>`
    with ended as (
      delete from approval_ends where id in (select id from approval_ends order by id limit ${limit} for update skip locked)
      returning execution_id, position
    ), closed as (
      update approvals a set state = ${closedUnlessEndedSql}, ended_at = coalesce(a.ended_at, ${at}), due_at = null
      from ended e where a.execution_id = e.execution_id and a.position = e.position
      returning a.id, a.execution_id, a.position
    )
    select c.id from ended e left join closed c on c.execution_id = e.execution_id and c.position = e.position`.execute(db)
  return { endedWaits: rows.length, approvalIds: rows.flatMap(({ id }) => id ?? []) }
}

/** The wait of an ended approval whose execution is not resumed yet, with the result. */
export async function findResumption(
  db: Executor,
  id: string,
): Promise<(Pick<Approval, 'accountId' | 'executionId' | 'position'> & { readonly output: Json }) | undefined> {
  const { rows } = await sql<{
    readonly account_id: string
    readonly execution_id: string
    readonly position: string
    readonly output: string
  }>`
    select account_id, execution_id, position, output from approvals
    where id = ${id} and due_at is not null and output is not null`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json contains valid JSON.
  const output = JSON.parse(row.output) as Json
  return { accountId: row.account_id, executionId: row.execution_id, position: row.position, output }
}

/** Records that the execution has been resumed. */
export async function clearResumption(db: Executor, id: string): Promise<void> {
  await sql`update approvals set due_at = null where id = ${id} and output is not null`.execute(db)
}

/** The position of an approval in the index approvals_by_wait. */
export interface WaitCursor {
  readonly executionId: string
  readonly position: string
}

/**
 * Deletes those of the next approvals whose executions do not exist any more, with their mails and decisions.
 * @param limit approvals that are checked.
 * @returns the last approval that was checked; undefined at the end.
 */
export async function deleteOrphansAfter(db: Executor, after: WaitCursor, limit: number): Promise<WaitCursor | undefined> {
  const { rows } = await sql<{
    readonly id: string
    readonly execution_id: string
    readonly position: string
    readonly is_orphan: boolean
  }>`
    select a.id, a.execution_id, a.position, ${isExecutionMissingSql(sql`a.execution_id`)} as is_orphan
    from approvals a where (a.execution_id, a.position) > (${after.executionId}::uuid, ${after.position}::text)
    order by a.execution_id, a.position limit ${limit}`.execute(db)
  const orphans = rows.flatMap((row) => (row.is_orphan ? row.id : []))
  if (orphans.length > 0) await sql`delete from approvals where id = any(${orphans}::uuid[])`.execute(db)
  const last = rows.length === limit ? rows.at(-1) : undefined
  return last === undefined ? undefined : { executionId: last.execution_id, position: last.position }
}

/** Deletes the approvals of an account, with their mails and decisions. */
export async function deleteApprovalsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from approvals where account_id = ${accountId}`.execute(executor)
}

function approvalOf(row: ApprovalRow): Approval {
  return {
    id: row.id,
    accountId: row.account_id,
    executionId: row.execution_id,
    position: row.position,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json contains valid JSON.
    arguments: JSON.parse(row.arguments) as Json,
    openedAt: row.opened_at,
    state: row.state,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by writeReassigned alone.
    reassigned: row.reassigned === null ? undefined : (JSON.parse(row.reassigned) as readonly Reassignment[]),
    stagesTaken: row.steps,
    escalated: row.escalated,
    excludedUserIds: row.barred,
    endedAt: row.ended_at ?? undefined,
    isAwaited: row.awaited,
  }
}
