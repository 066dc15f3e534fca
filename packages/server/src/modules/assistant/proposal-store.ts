import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { EmailDraft, Owner, Page, Proposal } from './model.ts'

type Executor = Kysely<Rows>

interface ProposalRow {
  readonly id: string
  readonly conversation_id: string | null
  readonly kind: Proposal['kind']
  readonly summary: string
  readonly action: string
  readonly digest: string
  readonly state: Proposal['state']
  readonly result: Readonly<Record<string, string>> | null
  readonly reason: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly decided_at: Date | null
}

interface DraftRow {
  readonly id: string
  readonly conversation_id: string | null
  readonly recipients: string[]
  readonly subject: string
  readonly body: string
  readonly digest: string
  readonly state: EmailDraft['state']
  readonly reason: string | null
  readonly created_at: Date
  readonly decided_at: Date | null
}

const proposalColumns = sql`id, conversation_id, kind, summary, action, digest, state, result, reason, created_at, expires_at, decided_at`
const draftColumns = sql`id, conversation_id, recipients, subject, body, digest, state, reason, created_at, decided_at`

/** Counts what waits for a decision of a user, one request of the user at a time. */
export async function countWaiting(tx: Executor, accountId: string, userId: string, now: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assistant/' || ${userId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select (select count(*) from assistant_proposals
        where account_id = ${accountId} and user_id = ${userId} and state = 'pending' and expires_at > ${now})::int
      + (select count(*) from assistant_email_drafts where account_id = ${accountId} and user_id = ${userId} and state = 'draft')::int as count`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function insertProposal(tx: Executor, { accountId, userId }: Owner, proposal: Proposal): Promise<void> {
  const { id, conversationId, kind, summary, action, digest, createdAt, expiresAt } = proposal
  await sql`
    insert into assistant_proposals (id, account_id, user_id, conversation_id, kind, summary, action, digest, state, created_at, expires_at)
    values (${id}, ${accountId}, ${userId}, ${conversationId ?? null}, ${kind}, ${summary}, ${action}, ${digest}, 'pending', ${createdAt},
      ${expiresAt})`.execute(tx)
}

export async function listProposals(
  tx: Executor,
  { accountId, userId }: Owner,
  { conversationId, before, limit }: Page & { readonly conversationId: string | undefined },
): Promise<readonly Proposal[]> {
  const { rows } = await sql<ProposalRow>`
    select ${proposalColumns} from assistant_proposals
    where account_id = ${accountId} and user_id = ${userId}
      ${conversationId === undefined ? sql`` : sql`and conversation_id = ${conversationId}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(proposalOf)
}

/** Finds a proposal of a user and locks it until the transaction ends. */
export async function lockProposal(tx: Executor, { accountId, userId }: Owner, id: string): Promise<Proposal | undefined> {
  const { rows } = await sql<ProposalRow>`
    select ${proposalColumns} from assistant_proposals
    where account_id = ${accountId} and user_id = ${userId} and id = ${id} for update`.execute(tx)
  return rows.map(proposalOf)[0]
}

/** What became of a proposal. */
export interface Decision {
  readonly id: string
  readonly state: Proposal['state']
  readonly result?: Readonly<Record<string, string>> | undefined
  readonly reason?: string | undefined
  readonly at: Date
}

export async function decideProposal(
  tx: Executor,
  { accountId, userId }: Owner,
  { id, state, result, reason, at }: Decision,
): Promise<Proposal> {
  const { rows } = await sql<ProposalRow>`
    update assistant_proposals set state = ${state}, result = ${result === undefined ? null : JSON.stringify(result)}, reason = ${reason ?? null},
      decided_at = coalesce(decided_at, ${at})
    where account_id = ${accountId} and user_id = ${userId} and id = ${id} returning ${proposalColumns}`.execute(tx)
  const [proposal] = rows.map(proposalOf)
  if (proposal === undefined) throw new Error(`the proposal ${id} is locked and not in the database`)
  return proposal
}

export async function insertDraft(tx: Executor, { accountId, userId }: Owner, draft: EmailDraft): Promise<void> {
  const { id, conversationId, to, subject, body, digest, createdAt } = draft
  await sql`
    insert into assistant_email_drafts (id, account_id, user_id, conversation_id, recipients, subject, body, digest, state, created_at)
    values (${id}, ${accountId}, ${userId}, ${conversationId ?? null}, ${to}, ${subject}, ${body}, ${digest}, 'draft', ${createdAt})`.execute(
    tx,
  )
}

export async function listDrafts(
  tx: Executor,
  { accountId, userId }: Owner,
  { state, before, limit }: Page & { readonly state: EmailDraft['state'] | undefined },
): Promise<readonly EmailDraft[]> {
  const { rows } = await sql<DraftRow>`
    select ${draftColumns} from assistant_email_drafts
    where account_id = ${accountId} and user_id = ${userId} ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(draftOf)
}

/** Finds a draft of a user and locks it until the transaction ends. */
export async function lockDraft(tx: Executor, { accountId, userId }: Owner, id: string): Promise<EmailDraft | undefined> {
  const { rows } = await sql<DraftRow>`
    select ${draftColumns} from assistant_email_drafts
    where account_id = ${accountId} and user_id = ${userId} and id = ${id} for update`.execute(tx)
  return rows.map(draftOf)[0]
}

export async function decideDraft(
  tx: Executor,
  accountId: string,
  { id, state, reason, at }: { readonly id: string; readonly state: 'sent' | 'rejected'; readonly reason?: string; readonly at: Date },
): Promise<void> {
  await sql`
    update assistant_email_drafts set state = ${state}, reason = ${reason ?? null}, decided_at = ${at}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function purgeAssistant(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from assistant_messages where account_id = ${accountId}`.execute(executor)
  await sql`delete from assistant_conversations where account_id = ${accountId}`.execute(executor)
  await sql`delete from assistant_proposals where account_id = ${accountId}`.execute(executor)
  await sql`delete from assistant_email_drafts where account_id = ${accountId}`.execute(executor)
}

function proposalOf(row: ProposalRow): Proposal {
  const { conversation_id, result, reason, created_at, expires_at, decided_at, ...rest } = row
  return {
    ...rest,
    conversationId: conversation_id ?? undefined,
    result: result ?? undefined,
    reason: reason ?? undefined,
    createdAt: created_at,
    expiresAt: expires_at,
    decidedAt: decided_at ?? undefined,
  }
}

function draftOf(row: DraftRow): EmailDraft {
  const { conversation_id, recipients, reason, created_at, decided_at, ...rest } = row
  return {
    ...rest,
    to: recipients,
    conversationId: conversation_id ?? undefined,
    reason: reason ?? undefined,
    createdAt: created_at,
    decidedAt: decided_at ?? undefined,
  }
}
