import { Fault } from '@millrace/contract'
import type { Transaction } from 'kysely'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import { judgePassword } from '#platform/auth/password-policy.ts'
import type { Rows } from '#platform/db/rows.ts'
import { type Client, normaliseEmail, type SignedInUser, type User } from './model.ts'
import { consumeOperatorCode } from './operator-codes.ts'
import type { RegistrationGate } from './registration-gate.ts'
import type { SessionService } from './session-service.ts'
import { type Executor, insertAccount, insertPassword, insertUser } from './store.ts'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name: string | undefined
  readonly accountName: string | undefined
  readonly operatorCode: string | undefined
}

/** Greets a new user, in the transaction of the registration. */
export interface Welcome {
  prepare(): Promise<void>
  send(tx: Transaction<Rows>, user: User): Promise<void>
}

export interface RegisterDeps {
  readonly db: Executor
  readonly passwords: Pick<PasswordHasher, 'hashNew'>
  readonly now: () => Date
  readonly newId: () => string
  readonly welcome?: Welcome
  /** Absent where everyone may register. */
  readonly gate?: Pick<RegistrationGate, 'assertOpen'> | undefined
}

/** Creates an account with its owner and signs the owner in, in one transaction. */
export async function register(
  deps: RegisterDeps,
  sessions: Pick<SessionService, 'open' | 'prepare'>,
  registration: Registration,
  client: Client,
): Promise<SignedInUser> {
  const { db, passwords, now, newId } = deps
  const { password, name, operatorCode } = registration
  if (operatorCode === undefined) await deps.gate?.assertOpen()
  const email = normaliseEmail(registration.email)
  assertPassword(password, [email, name ?? '', registration.accountName ?? ''])
  const hash = await passwords.hashNew(password)
  await Promise.all([sessions.prepare(), deps.welcome?.prepare()])
  const at = now()
  const accountId = newId()
  const user: User = { id: newId(), accountId, email, name, role: 'owner', isOperator: operatorCode !== undefined, createdAt: at }
  const tokens = await db.transaction().execute(async (tx) => {
    if (operatorCode !== undefined && !(await consumeOperatorCode(tx, operatorCode)))
      throw new Fault('forbidden', {
        detail: 'The operator code is not valid or was used already. Compare it with the log of the start; a restart makes a new one.',
      })
    await insertAccount(tx, { id: accountId, name: registration.accountName ?? name ?? email }, at)
    if (!(await insertUser(tx, user))) throw new Fault('email_taken')
    await insertPassword(tx, user, hash, at)
    await deps.welcome?.send(tx, user)
    return await sessions.open(tx, user, client)
  })
  return { user, tokens }
}

/** Throws a Fault for a password that is too weak. @param about words of the user, which do not count. */
export function assertPassword(password: string, about: readonly string[]): void {
  const faults = judgePassword(password, about)
  if (faults.length === 0) return
  throw new Fault('password_unacceptable', { errors: faults.map((detail) => ({ pointer: '/password', detail })) })
}
