import { Fault } from '@millrace/contract'
import type { Kysely, Transaction } from 'kysely'
import { createBatcher } from '#platform/batching/batcher.ts'
import { isDataError } from '#platform/db/is-data-error.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import type { MailReader } from '#platform/mail/templates/mail-time.ts'
import { type CompleteSignIn, createCompletion, type SignInResult } from './completion/complete-sign-in.ts'
import { createFindFactors, type FindFactors } from './completion/factor-summary.ts'
import type { IdentityEventSink } from './events.ts'
import {
  type Account,
  type Client,
  normaliseEmail,
  type SessionLimits,
  sessionLimitsDefault,
  type SignedInUser,
  type User,
} from './model.ts'
import { register, type Registration, type Welcome } from './register.ts'
import { createSessionService, type SessionService, type Tokens } from './session-service.ts'
import type { RegistrationGate } from './registration-gate.ts'
import { type FindDeleted, type PasswordSignIn, signIn } from './sign-in.ts'
import { deleteAccount, deleteUser, findSignInCandidates, findUser, lockRoles, type SignInCandidate, type SignInSubject } from './store.ts'
import { findProfile, type Profile } from './profile/profile-store.ts'
import { createThrottle, type Throttle, type ThrottleRules } from './throttle.ts'

export interface IdentityDeps {
  /** The system pool: a user who signs in has no account yet. */
  readonly db: Kysely<Rows>
  readonly tokens: Tokens
  readonly passwords: PasswordHasher
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  readonly welcome?: Welcome
  readonly report: IdentityEventSink
  /** Ends, in the same transaction, what other modules do for an account that is being deleted with its only user. */
  readonly clearAccount?: (tx: Transaction<Rows>, leaving: LeavingUser) => Promise<Departure>
  /** The password of a user of an address who was deleted and can be restored. */
  readonly findDeleted?: FindDeleted
  /** Absent where everyone may register. */
  readonly gate?: Pick<RegistrationGate, 'assertOpen'> | undefined
  readonly settings?: IdentitySettings
}

/** A user who is deleted, and whose account is deleted too. */
export interface LeavingUser {
  readonly accountId: string
  readonly userId: string
  readonly email: string
  readonly reader: MailReader
}

/** What follows the deletion of a user. */
export interface Departure {
  /** Until when the user can be restored; `undefined` for not at all. */
  readonly restorableUntil: Date | undefined
  /** To be called after the commit. */
  readonly afterCommit: () => void | Promise<void>
}

export interface IdentitySettings {
  readonly sessionLimits?: SessionLimits
  readonly throttleRules?: ThrottleRules
  /** Whether the operator demands a second factor in every account. */
  readonly demandsSecondFactor?: boolean
}

/** Users and their sign-in. */
export interface Identity {
  readonly sessions: SessionService
  /** Slows guessing down; for further ways to prove an identity by password. */
  readonly throttle: Throttle
  register(registration: Registration, client: Client): Promise<SignedInUser>
  signIn(given: PasswordSignIn, client: Client): Promise<SignInResult>
  /** Ends the first step of every way to sign in: with a session, or with a challenge for the second step. */
  readonly completeSignIn: CompleteSignIn
  readonly findFactors: FindFactors
  me(tx: Transaction<Rows>, accountId: string, userId: string): Promise<{ user: User; account: Account; profile: Profile }>
  /** Deletes a user, and the account of its only one. */
  deleteMe(tx: Transaction<Rows>, accountId: string, userId: string): Promise<Departure>
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { db, now, settings = {} } = deps
  const { sessionLimits: limits = sessionLimitsDefault, throttleRules: rules } = settings
  const sessions = createSessionService({ ...deps, limits })
  const isDemanded = settings.demandsSecondFactor === true
  const findFactors = createFindFactors(isDemanded)
  const completeSignIn = createCompletion({ ...deps, sessions, isDemanded })
  const throttle = createThrottle({ db, now, ...(rules === undefined ? {} : { rules }) })
  // Sign-ins that arrive in one turn of the event loop share the look-up.
  const findCandidate = createBatcher<SignInSubject, SignInCandidate | undefined>({
    load: (subjects) => findSignInCandidates(db, subjects),
    lanes: 2,
    keysMax: 200,
    isOfKey: isDataError,
  })
  return {
    sessions,
    register: (registration, client) => register(deps, sessions, registration, client),
    completeSignIn,
    findFactors,
    throttle,
    signIn: (given, client) =>
      signIn(deps, { completeSignIn, throttle, sessions, findCandidate }, { ...given, email: normaliseEmail(given.email) }, client),
    async me(tx, accountId, userId) {
      const found = await findUser(tx, accountId, userId)
      const profile = await findProfile(tx, accountId, userId)
      if (found === undefined || profile === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
      return { user: found.user, account: found.account, profile }
    },
    async deleteMe(tx, accountId, userId) {
      const roles = await lockRoles(tx, accountId)
      const others = roles.filter(({ id }) => id !== userId)
      if (others.length === 0) {
        const found = await findUser(tx, accountId, userId)
        if (found === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
        const { user, reader } = found
        const departure = await deps.clearAccount?.(tx, { accountId, userId, email: user.email, reader })
        await deleteAccount(tx, accountId)
        return departure ?? forGood
      }
      const isOwner = roles.some(({ id, role }) => id === userId && role === 'owner')
      if (isOwner && !others.some(({ role }) => role === 'owner')) throw new Fault('last_owner')
      await deleteUser(tx, accountId, userId)
      return forGood
    },
  }
}

const forGood: Departure = { restorableUntil: undefined, afterCommit: () => undefined }
