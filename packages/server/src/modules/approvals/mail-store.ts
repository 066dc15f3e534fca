import type { Json } from '@millrace/engine'
import { sql } from 'kysely'
import type { ApprovalMail, LinkOwner } from './model.ts'
import type { Executor } from './store.ts'

export interface NewMail {
  readonly id: string
  readonly approvalId: string
  readonly step: number
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly name: string | undefined
  readonly userId: string | undefined
  readonly token: { readonly hash: Buffer; readonly sealed: Buffer } | undefined
  /** When to send it; `undefined` where that is not possible. */
  readonly nextAttemptAt: Date | undefined
  readonly failure: string | undefined
}

export async function insertMails(tx: Executor, accountId: string, mails: readonly NewMail[]): Promise<void> {
  for (const { id, approvalId, step, kind, email, name, userId, token, nextAttemptAt, failure } of mails) {
    await sql`
      insert into approval_mails (id, account_id, approval_id, step, kind, email, name, user_id, token_hash, sealed_token, next_attempt_at, failure)
      values (${id}, ${accountId}, ${approvalId}, ${step}, ${kind}, ${email}, ${name ?? null}, ${userId ?? null}, ${token?.hash ?? null},
        ${token?.sealed ?? null}, ${nextAttemptAt ?? null}, ${failure ?? null})
      on conflict do nothing`.execute(tx)
  }
}

interface MailRow {
  readonly id: string
  readonly approval_id: string
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly attempts: number
  readonly next_attempt_at: Date | null
  readonly sent_at: Date | null
  readonly failure: string | null
}

/** The mails of approvals by their ids, in the order in which they were made. */
export async function findMails(
  tx: Executor,
  accountId: string,
  approvalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ApprovalMail[]>> {
  if (approvalIds.length === 0) return new Map()
  const { rows } = await sql<MailRow>`
    select id, approval_id, kind, email, attempts, next_attempt_at, sent_at, failure
    from approval_mails where account_id = ${accountId} and approval_id = any(${approvalIds}::uuid[]) order by id`.execute(tx)
  const grouped = Map.groupBy(rows, (row) => row.approval_id)
  return new Map([...grouped].map(([id, all]) => [id, all.map(mailOf)]))
}

function mailOf(row: MailRow): ApprovalMail {
  return {
    id: row.id,
    kind: row.kind,
    email: row.email,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    sentAt: row.sent_at ?? undefined,
    failure: row.failure ?? undefined,
  }
}

/** Over all accounts, since the token is what tells the account. */
export async function findLink(db: Executor, hash: Uint8Array): Promise<LinkOwner | undefined> {
  const { rows } = await sql<{
    readonly account_id: string
    readonly approval_id: string
    readonly id: string
    readonly email: string
    readonly name: string | null
    readonly user_id: string | null
  }>`select account_id, approval_id, id, email, name, user_id from approval_mails where token_hash = ${hash}`.execute(db)
  const [row] = rows
  return row === undefined
    ? undefined
    : {
        accountId: row.account_id,
        approvalId: row.approval_id,
        mailId: row.id,
        email: row.email,
        name: row.name ?? undefined,
        userId: row.user_id ?? undefined,
      }
}

/** A mail that is to be sent now, with what it speaks of. */
export interface DueMail {
  readonly id: string
  readonly accountId: string
  readonly approvalId: string
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly name: string | undefined
  readonly sealedToken: Buffer | undefined
  readonly attempts: number
  readonly arguments: Json
  readonly openedAt: Date
  readonly workflow: string | undefined
}

/**
 * Takes mails to be sent, of every account that has any about as many, those that have waited longest first: one descent of approval_mails_due for each account. Should this process die over
 * them, they are to be sent again at `leaseUntil`.
 */
export async function takeMails(
  db: Executor,
  { now, leaseUntil, limit }: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<readonly DueMail[]> {
  const { rows } = await sql<{
    readonly id: string
    readonly account_id: string
    readonly approval_id: string
    readonly kind: 'link' | 'notice'
    readonly email: string
    readonly name: string | null
    readonly sealed_token: Buffer | null
    readonly attempts: number
    readonly arguments: string
    readonly opened_at: Date
    readonly workflow: string | null
  }>`
    with recursive accounts(id) as (
      (select account_id from approval_mails where next_attempt_at is not null order by account_id limit 1)
      union all
      select (select account_id from approval_mails where next_attempt_at is not null and account_id > a.id order by account_id limit 1)
      from accounts a where a.id is not null
    ), turns as (
      select o.id from accounts a cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as turn from approval_mails
        where account_id = a.id and next_attempt_at <= ${now} order by next_attempt_at limit ${limit}
      ) o order by o.turn, o.next_attempt_at limit ${limit}
    ), free as (
      select id from approval_mails where id in (select id from turns) and next_attempt_at <= ${now} for update skip locked
    ), taken as (
      update approval_mails set attempts = attempts + 1, next_attempt_at = ${leaseUntil} where id in (select id from free)
      returning id, account_id, approval_id, kind, email, name, sealed_token, attempts
    )
    select t.*, a.arguments, a.opened_at, f.name as workflow
    from taken t join approvals a on a.id = t.approval_id
      left join executions e on e.id = a.execution_id left join workflows f on f.id = e.workflow_id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    approvalId: row.approval_id,
    kind: row.kind,
    email: row.email,
    name: row.name ?? undefined,
    sealedToken: row.sealed_token ?? undefined,
    attempts: row.attempts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json holds nothing else.
    arguments: JSON.parse(row.arguments) as Json,
    openedAt: row.opened_at,
    workflow: row.workflow ?? undefined,
  }))
}

/** Notes that a mail was sent; the token is in nobody's hands now but the reader's. */
export async function writeSent(db: Executor, id: string, at: Date): Promise<void> {
  await sql`
    update approval_mails set sent_at = ${at}, next_attempt_at = null, sealed_token = null, failure = null where id = ${id}`.execute(db)
}

/** Notes that a mail was not sent, and when to try again; never where no time is given. */
export async function writeFailed(
  db: Executor,
  id: string,
  { failure, nextAttemptAt }: { readonly failure: string | undefined; readonly nextAttemptAt: Date | undefined },
): Promise<void> {
  await sql`
    update approval_mails set next_attempt_at = ${nextAttemptAt ?? null}, failure = coalesce(${failure ?? null}, failure),
      sealed_token = case when ${nextAttemptAt === undefined} then null else sealed_token end
    where id = ${id}`.execute(db)
}

/** Mails that have not been sent are not needed any more. */
export async function dropMails(tx: Executor, approvalIds: readonly string[]): Promise<void> {
  if (approvalIds.length === 0) return
  await sql`
    update approval_mails set next_attempt_at = null, sealed_token = null
    where approval_id = any(${approvalIds}::uuid[]) and next_attempt_at is not null`.execute(tx)
}
