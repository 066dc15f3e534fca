import { Fault } from '@millrace/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
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
import { register, type Registration } from './register.ts'
import { createSessionService, type SessionService, type Tokens } from './session-service.ts'
import { signIn } from './sign-in.ts'
import { deleteAccount, deleteUser, findUser, lockRoles } from './store.ts'
import { createThrottle, type ThrottleRules } from './throttle.ts'

export interface IdentityDeps {
  /** The system pool: a user who signs in has no account yet. */
  readonly db: Kysely<Rows>
  readonly tokens: Tokens
  readonly passwords: PasswordHasher
  readonly now: () => Date
  readonly newId: () => string
  readonly report: IdentityEventSink
  /** Ends and deletes, in the same transaction, the data of other modules for an account that is being deleted. */
  readonly clearAccount?: (tx: Transaction<Rows>, accountId: string) => Promise<void>
  readonly settings?: IdentitySettings
}

export interface IdentitySettings {
  readonly sessionLimits?: SessionLimits
  readonly throttleRules?: ThrottleRules
}

/** Users and their sign-in. */
export interface Identity {
  readonly sessions: SessionService
  register(registration: Registration, client: Client): Promise<SignedInUser>
  signIn(email: string, password: string, client: Client): Promise<SignedInUser>
  me(tx: Transaction<Rows>, accountId: string, userId: string): Promise<{ user: User; account: Account }>
  deleteMe(tx: Transaction<Rows>, accountId: string, userId: string): Promise<void>
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { db, now, settings = {} } = deps
  const { sessionLimits: limits = sessionLimitsDefault, throttleRules: rules } = settings
  const sessions = createSessionService({ ...deps, limits })
  const throttle = createThrottle({ db, now, ...(rules === undefined ? {} : { rules }) })
  return {
    sessions,
    register: (registration, client) => register(deps, sessions, registration, client),
    signIn: (email, password, client) => signIn(deps, { sessions, throttle }, { email: normaliseEmail(email), password }, client),
    async me(tx, accountId, userId) {
      const found = await findUser(tx, accountId, userId)
      if (found === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
      return found
    },
    async deleteMe(tx, accountId, userId) {
      const roles = await lockRoles(tx, accountId)
      const others = roles.filter(({ id }) => id !== userId)
      if (others.length === 0) {
        await deps.clearAccount?.(tx, accountId)
        return await deleteAccount(tx, accountId)
      }
      const isOwner = roles.some(({ id, role }) => id === userId && role === 'owner')
      if (isOwner && !others.some(({ role }) => role === 'owner')) throw new Fault('last_owner')
      await deleteUser(tx, accountId, userId)
    },
  }
}
