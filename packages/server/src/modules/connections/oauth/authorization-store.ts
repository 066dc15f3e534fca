import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export interface PendingAuthorization {
  readonly stateDigest: Buffer
  readonly connectionId: string
  readonly userId: string
  readonly verifier: Buffer
  readonly expiresAt: Date
}

/** Keeps an authorization that was begun; earlier ones of the connection and those that ended are forgotten. */
export async function insertAuthorization(tx: Executor, accountId: string, pending: PendingAuthorization, now: Date): Promise<void> {
  const { stateDigest, connectionId, userId, verifier, expiresAt } = pending
  await sql`
    delete from connection_authorizations
    where account_id = ${accountId} and (connection_id = ${connectionId} or expires_at < ${now})`.execute(tx)
  await sql`
    insert into connection_authorizations (state_digest, account_id, connection_id, user_id, verifier, expires_at)
    values (${stateDigest}, ${accountId}, ${connectionId}, ${userId}, ${verifier}, ${expiresAt})`.execute(tx)
}

/** Forgets what was begun for a connection: its code belongs to the service and the client of that time. */
export async function deleteAuthorizations(tx: Executor, accountId: string, connectionId: string): Promise<void> {
  await sql`delete from connection_authorizations where account_id = ${accountId} and connection_id = ${connectionId}`.execute(tx)
}

/** Takes an authorization that this user began; it exists only once. */
export async function takeAuthorization(
  tx: Executor,
  accountId: string,
  { stateDigest, userId, now }: { readonly stateDigest: Buffer; readonly userId: string; readonly now: Date },
): Promise<Pick<PendingAuthorization, 'connectionId' | 'verifier'> | undefined> {
  const { rows } = await sql<{ connection_id: string; verifier: Buffer }>`
    delete from connection_authorizations
    where account_id = ${accountId} and state_digest = ${stateDigest} and user_id = ${userId} and expires_at > ${now}
    returning connection_id, verifier`.execute(tx)
  const row = rows[0]
  return row === undefined ? undefined : { connectionId: row.connection_id, verifier: row.verifier }
}

export async function deleteAuthorizationsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from connection_authorizations where account_id = ${accountId}`.execute(executor)
}
