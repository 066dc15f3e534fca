import { type RawBuilder, sql } from 'kysely'
import type { AuthenticationMethod, User } from '#modules/identity/model.ts'
import { insertSessionSql, type StoredSession } from '#modules/identity/session-store.ts'
import { type Executor, userColumns, userOf, type UserRow } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'
import { insertChallengeSql, type NewChallenge } from './challenge-store.ts'
import { type FactorRow, factorsSql, isActiveSql } from './factor-summary.ts'

/**
 * What has to be true when a sign-in ends its first or second step: a query with a row if it is. It is part of the statement that opens the
 * session, and locks or deletes its row, so that a concurrent change of it either comes first or sees the session.
 */
export interface Guard {
  /** Names the prepared statement: the same name, the same text. */
  readonly name: string
  readonly sql: RawBuilder<unknown>
  /** Further parts of the `with`, which take effect in any case. */
  readonly also?: RawBuilder<unknown>
}

export const noGuard: Guard = { name: 'free', sql: sql`select 1` }

export interface CompletedStep {
  readonly isGuarded: boolean
  readonly isOpened: boolean
  readonly isChallenged: boolean
  readonly factors: FactorRow
}

/**
 * Opens a session, or inserts the challenge of a second step if the user or the account demands one: one statement, since each round trip to the
 * database costs more than what it does. `undefined` when the account is gone.
 */
export async function completeStep(
  db: Executor,
  guard: Guard,
  {
    session,
    methods,
    challenge,
    isDemanded,
  }: {
    readonly session: StoredSession
    readonly methods: readonly AuthenticationMethod[]
    readonly challenge: NewChallenge
    readonly isDemanded: boolean
  },
): Promise<CompletedStep | undefined> {
  const { accountId, userId } = session.session
  const { rows } = await sql<
    FactorRow & { readonly is_guarded: boolean; readonly is_opened: boolean; readonly is_challenged: boolean }
  >`${markOf('complete', guard)}with guard as (${guard.sql}),
    factors as materialized (${factorsSql(accountId, userId)}),
    step as (select ${isActiveSql} as active, ${isActiveSql} or ${isDemanded}::boolean or requires_mfa as demanded, passkeys from factors),
    challenged as (${insertChallengeSql(challenge, sql`step, guard where step.demanded`)} returning 1),
    opened as (${insertSessionSql(session, methods, sql`step, guard`, sql`not step.demanded`)} returning 1)${alsoOf(guard)}
    select factors.*, exists (select from guard) as is_guarded, exists (select from opened) as is_opened,
      exists (select from challenged) as is_challenged
    from factors`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return { isGuarded: row.is_guarded, isOpened: row.is_opened, isChallenged: row.is_challenged, factors: row }
}

/** Opens a session if its guard has a row. Returns its user, who has no session when they are deactivated; `undefined` without the row or the user. */
export async function openGuarded(
  db: Executor,
  guard: Guard,
  { session, methods }: { readonly session: StoredSession; readonly methods: readonly AuthenticationMethod[] },
): Promise<{ readonly user: User; readonly isOpened: boolean } | undefined> {
  const { accountId, userId } = session.session
  const { rows } = await sql<UserRow & { readonly is_opened: boolean }>`${markOf('open', guard)}with guard as (${guard.sql}),
    opened as (${insertSessionSql(session, methods, sql`guard`, sql`true`)} returning 1)${alsoOf(guard)}
    select ${userColumns}, exists (select from opened) as is_opened from users u, guard
    where u.account_id = ${accountId}::uuid and u.id = ${userId}::uuid`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : { user: userOf(row), isOpened: row.is_opened }
}

function markOf(what: string, { name }: Guard): RawBuilder<unknown> {
  return sql.raw(preparedMark(`${what}_sign_in_${name}`))
}

function alsoOf({ also }: Guard): RawBuilder<unknown> {
  return also === undefined ? sql`` : sql`, ${also}`
}
