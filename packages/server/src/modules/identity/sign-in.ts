import { Fault } from '@millrace/contract'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import type { IdentityEventSink } from './events.ts'
import type { Delivery } from './completion/challenge-store.ts'
import type { CompleteSignIn, SignInResult } from './completion/complete-sign-in.ts'
import type { Client, User } from './model.ts'
import type { SessionService } from './session-service.ts'
import { type Executor, passwordGuard, replacePasswordHash, type SignInCandidate, type SignInSubject } from './store.ts'
import type { Throttle } from './throttle.ts'
import { forgiveness } from './throttle-store.ts'

export interface SignInDeps {
  readonly db: Executor
  readonly passwords: PasswordHasher
  readonly report: IdentityEventSink
  readonly findDeleted?: FindDeleted
}

/** Finds the user of an address who was deleted and can be restored. */
export type FindDeleted = (email: string) => Promise<{ readonly hash: string | undefined; readonly restorableUntil: Date } | undefined>

export interface PasswordSignIn {
  readonly email: string
  readonly password: string
  readonly delivery: Delivery
}

/**
 * Signs in with an address and a password.
 *
 * An unknown address and a wrong password take the same path: the same queries, one hash, the same Fault. Only a correct password makes a
 * difference.
 */
export async function signIn(
  deps: SignInDeps,
  parts: {
    readonly completeSignIn: CompleteSignIn
    readonly throttle: Throttle
    readonly sessions: Pick<SessionService, 'prepare'>
    readonly findCandidate: (subject: SignInSubject) => Promise<SignInCandidate | undefined>
  },
  given: PasswordSignIn,
  client: Client,
): Promise<SignInResult> {
  const { db, passwords, report } = deps
  const { email, password, delivery } = given
  const [candidate, deleted] = await Promise.all([parts.findCandidate({ email, ip: client.ip }), deps.findDeleted?.(email)])
  const attempt = { email, ip: client.ip, isFamiliar: candidate?.isFamiliar ?? false }
  await parts.throttle.take(attempt)
  const matches = await passwords.verify(candidate === undefined ? deleted?.hash : candidate.hash, password)
  if (candidate === undefined && deleted !== undefined && matches) {
    await parts.throttle.forgive(attempt)
    throw accountDeleted(deleted.restorableUntil)
  }
  if (candidate === undefined || !matches) {
    const { accountId, id: userId } = candidate?.user ?? {}
    report({ type: 'sign_in_refused', ip: client.ip, userAgent: client.userAgent, accountId, userId })
    throw new Fault('invalid_credentials')
  }
  await renewHash(deps, candidate.user, candidate.hash, password)
  await parts.sessions.prepare()
  // Hashing takes a while, in which the password may have been replaced, with all sessions ended.
  const guard = { name: 'password', sql: passwordGuard(candidate), also: forgiveness(parts.throttle.forgiven(attempt)) }
  const result = await parts.completeSignIn(db, candidate.user, { client, methods: ['pwd'], delivery }, guard)
  if (result === undefined) throw new Fault('invalid_credentials')
  return result
}

function accountDeleted(until: Date): Fault {
  const restorableUntil = until.toISOString()
  const detail = `The account was deleted. The link in the mail about that restores it until ${restorableUntil}; you can register again, too.`
  return new Fault('account_deleted', { detail, extensions: { restorableUntil } })
}

/** Hashes the password again when the configured cost has changed; a sign-in is the only time at which the password is known. */
async function renewHash({ db, passwords }: SignInDeps, user: User, hash: string | undefined, password: string): Promise<void> {
  if (hash === undefined || !passwords.isOutdated(hash)) return
  await replacePasswordHash(db, user.id, hash, await passwords.hash(password))
}
