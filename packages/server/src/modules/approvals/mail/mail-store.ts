import type { Json } from '@millrace/engine'
import { workflowIdQuery } from '@millrace/engine/storage'
import { sql } from 'kysely'
import type { ApprovalMail, ApprovalLink } from '#modules/approvals/model.ts'
import type { Executor } from '#modules/approvals/approval-store.ts'

export interface NewMail {
  readonly id: string
  readonly approvalId: string
  readonly step: number
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly name: string | undefined
  readonly userId: string | undefined
  readonly token: { readonly hash: Buffer; readonly sealed: Buffer } | undefined
  /** When to send it; `undefined` where the installation sends no mail. */
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

/** Finds the mails of approvals by the approvals' ids, oldest first. */
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
  return new Map([...grouped].map(([id, ofApproval]) => [id, ofApproval.map(mailOf)]))
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

/** Finds a link in all accounts: the token alone identifies the account. */
export async function findLink(db: Executor, hash: Uint8Array): Promise<ApprovalLink | undefined> {
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

/** The addresses of persons from outside who have a link to an approval, or will get it. */
export async function findOutsideLinks(tx: Executor, accountId: string, approvalId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly email: string }>`
    select email from approval_mails
    where account_id = ${accountId} and approval_id = ${approvalId} and kind = 'link' and user_id is null
      and (sent_at is not null or next_attempt_at is not null)`.execute(tx)
  return new Set(rows.map(({ email }) => email))
}

/** A claimed mail, with the data of its text. */
export interface DueMail {
  readonly id: string
  readonly accountId: string
  readonly approvalId: string
  readonly executionId: string
  /** The stage of the plan that it belongs to. */
  readonly step: number
  readonly kind: 'link' | 'notice'
  readonly email: string
  readonly name: string | undefined
  /** Language tag and time zone of the user with this address, else of the account. */
  readonly locale: string | undefined
  readonly zone: string | undefined
  readonly sealedToken: Buffer | undefined
  readonly attempts: number
  readonly arguments: Json
  readonly openedAt: Date
  readonly workflow: string | undefined
}

/**
 * Claims due mails, about as many of every account, oldest first: one descent of approval_mails_due for each account. If this process ends before it has sent them,
 * they are due again at `leaseUntil`.
 */
export async function claimMails(
  db: Executor,
  { now, leaseUntil, limit }: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<readonly DueMail[]> {
  const { rows } = await sql<{
    readonly id: string
    readonly account_id: string
    readonly approval_id: string
    readonly execution_id: string
    readonly step: number
    readonly kind: 'link' | 'notice'
    readonly email: string
    readonly name: string | null
    readonly locale: string | null
    readonly zone: string | null
    readonly sealed_token: Buffer | null
    readonly attempts: number
    readonly arguments: string
    readonly opened_at: Date
    readonly workflow: string | null
  }>`
    with recursive senders(id) as (
      (select account_id from approval_mails where next_attempt_at is not null order by account_id limit 1)
      union all
      select (select account_id from approval_mails where next_attempt_at is not null and account_id > s.id order by account_id limit 1)
      from senders s where s.id is not null
    ), shares as (
      select o.id from senders s cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as place from approval_mails
        where account_id = s.id and next_attempt_at <= ${now} order by next_attempt_at limit ${limit}
      ) o order by o.place, o.next_attempt_at limit ${limit}
    ), unlocked as (
      select id from approval_mails where id in (select id from shares) and next_attempt_at <= ${now} for update skip locked
    ), claimed as (
      update approval_mails set attempts = attempts + 1, next_attempt_at = ${leaseUntil} where id in (select id from unlocked)
      returning id, account_id, approval_id, step, kind, email, name, sealed_token, attempts
    )
    select c.*, a.execution_id, a.arguments, a.opened_at, f.name as workflow,
      coalesce(u.locale, o.locale) as locale, coalesce(u.zone, o.time_zone) as zone
    from claimed c join approvals a on a.id = c.approval_id left join accounts o on o.id = c.account_id
      left join users u on u.email = c.email and u.account_id = c.account_id
      left join workflows f on f.id = (${workflowIdQuery(sql`a.execution_id`)})`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    approvalId: row.approval_id,
    executionId: row.execution_id,
    step: row.step,
    kind: row.kind,
    email: row.email,
    name: row.name ?? undefined,
    locale: row.locale ?? undefined,
    zone: row.zone ?? undefined,
    sealedToken: row.sealed_token ?? undefined,
    attempts: row.attempts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json contains valid JSON.
    arguments: JSON.parse(row.arguments) as Json,
    openedAt: row.opened_at,
    workflow: row.workflow ?? undefined,
  }))
}

/** Records that a mail was sent, and deletes its token: only the recipient has it now. */
export async function recordSent(db: Executor, id: string, at: Date): Promise<void> {
  await sql`
    update approval_mails set sent_at = ${at}, next_attempt_at = null, sealed_token = null, failure = null where id = ${id}`.execute(db)
}

/**
 * Records that a claimed mail was not sent. Without a time for the next attempt it is not retried. A mail that was dropped meanwhile stays so, and so does
 * one that another process has claimed after the lease.
 */
export async function recordFailure(
  db: Executor,
  { id, attempts }: Pick<DueMail, 'id' | 'attempts'>,
  { failure, nextAttemptAt }: { readonly failure: string | undefined; readonly nextAttemptAt: Date | undefined },
): Promise<void> {
  await sql`
    update approval_mails set next_attempt_at = ${nextAttemptAt ?? null}, failure = coalesce(${failure ?? null}, failure),
      sealed_token = case when ${nextAttemptAt === undefined} then null else sealed_token end
    where id = ${id} and attempts = ${attempts} and next_attempt_at is not null`.execute(db)
}

/** Cancels the mails of approvals that have not been sent. */
export async function dropMails(tx: Executor, approvalIds: readonly string[]): Promise<void> {
  if (approvalIds.length === 0) return
  await sql`
    update approval_mails set next_attempt_at = null, sealed_token = null
    where approval_id = any(${approvalIds}::uuid[]) and next_attempt_at is not null`.execute(tx)
}
