import type { Role } from '@millrace/contract'
import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'

/** An invitation to join an account. */
export interface Invitation {
  readonly id: string
  /** Normalised. */
  readonly email: string
  readonly role: Exclude<Role, 'owner'>
  /** Whether the token went to the address only. */
  readonly mailed: boolean
  /** The user who invited; undefined for invitations from before this was kept. */
  readonly invitedBy: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

interface InvitationRow {
  readonly id: string
  readonly account_id: string
  readonly email: string
  readonly role: Exclude<Role, 'owner'>
  readonly mailed: boolean
  readonly invited_by: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = sql`id, account_id, email, role, mailed, invited_by, created_at, expires_at`

/** Inserts an invitation, or replaces that of the same address. */
export async function saveInvitation(tx: Executor, accountId: string, invitation: Invitation, tokenHash: Uint8Array): Promise<void> {
  const { id, email, role, mailed, invitedBy, createdAt, expiresAt } = invitation
  await sql`
    insert into invitations (id, account_id, email, role, token_hash, mailed, invited_by, created_at, expires_at)
    values (${id}, ${accountId}, ${email}, ${role}, ${tokenHash}, ${mailed}, ${invitedBy ?? null}, ${createdAt}, ${expiresAt})
    on conflict on constraint invitations_email_unique do update set id = excluded.id, role = excluded.role, mailed = excluded.mailed,
      token_hash = excluded.token_hash, invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(
    tx,
  )
}

export async function countInvitations(tx: Executor, accountId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from invitations where account_id = ${accountId} and expires_at > ${at}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function listInvitations(
  tx: Executor,
  accountId: string,
  { at, before, limit }: { readonly at: Date; readonly before: string | undefined; readonly limit: number },
): Promise<readonly Invitation[]> {
  const { rows } = await sql<InvitationRow>`
    select ${columns} from invitations
    where account_id = ${accountId} and expires_at > ${at} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(invitationOf)
}

/** @returns whom it invited. */
export async function deleteInvitation(tx: Executor, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly email: string }>`
    delete from invitations where account_id = ${accountId} and id = ${id} returning email`.execute(tx)
  return rows[0]?.email
}

export type AccountInvitation = Invitation & { readonly accountId: string }

/** Finds an invitation by its token. Across accounts: the person has no account yet. */
export async function findInvitation(db: Executor, tokenHash: Uint8Array, at: Date): Promise<AccountInvitation | undefined> {
  const { rows } = await sql<InvitationRow>`
    select ${columns} from invitations where token_hash = ${tokenHash} and expires_at > ${at}`.execute(db)
  return rows[0] === undefined ? undefined : { ...invitationOf(rows[0]), accountId: rows[0].account_id }
}

/** The name of the account of an invitation, and who invited, if that user is still in it. */
export async function readInviter(
  db: Executor,
  { accountId, invitedBy }: Pick<AccountInvitation, 'accountId' | 'invitedBy'>,
): Promise<
  { readonly account: string; readonly inviter: { readonly name: string | null; readonly email: string } | undefined } | undefined
> {
  const { rows } = await sql<{ readonly account: string; readonly name: string | null; readonly email: string | null }>`
    select a.name as account, u.name, u.email from accounts a left join users u on u.account_id = a.id and u.id = ${invitedBy ?? null}
    where a.id = ${accountId}`.execute(db)
  const [row] = rows
  return row === undefined
    ? undefined
    : { account: row.account, inviter: row.email === null ? undefined : { name: row.name, email: row.email } }
}

/** Uses an invitation up; `undefined` when another request has used it. */
export async function takeInvitation(tx: Executor, tokenHash: Uint8Array, at: Date): Promise<AccountInvitation | undefined> {
  const { rows } = await sql<InvitationRow>`
    delete from invitations where token_hash = ${tokenHash} and expires_at > ${at} returning ${columns}`.execute(tx)
  return rows[0] === undefined ? undefined : { ...invitationOf(rows[0]), accountId: rows[0].account_id }
}

/** Deletes at most `limit` invitations that have expired, and returns their number; to be run periodically. */
export async function deleteExpiredInvitations(db: Executor, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from invitations where id in (
      select id from invitations where expires_at < ${before} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

function invitationOf(row: InvitationRow): Invitation {
  const { id, email, role, mailed, invited_by: invitedBy, created_at: createdAt, expires_at: expiresAt } = row
  return { id, email, role, mailed, invitedBy: invitedBy ?? undefined, createdAt, expiresAt }
}
