import { type Access, createAccess, createKeyFinder, writeKeyUses } from '#modules/access/index.ts'
import type { AuditLog } from '#modules/audit/index.ts'
import {
  createIdentity,
  createOperatorCodes,
  createSessionFinder,
  type Identity,
  type IdentityDeps,
  type IdentityEvent,
  writeSessionUses,
} from '#modules/identity/index.ts'
import { createAccessTokens } from '#platform/auth/access-token.ts'
import { createAuthenticator, type SessionUse } from '#platform/auth/authenticator.ts'
import { createPasswordHasher, type PasswordCost } from '#platform/auth/password-hasher.ts'
import { createRefreshTokens } from '#platform/auth/refresh-token.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createSigningKeys, type SigningKeys } from '#platform/auth/signing-keys.ts'
import { createUsageRecorder } from '#platform/auth/usage-recorder.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface AuthenticationDeps {
  readonly database: Database
  readonly secretKey: Uint8Array
  /** Who issues access tokens: the public address of the installation, or a name that stands for it. */
  readonly issuer: string
  readonly audit: AuditLog
  readonly logger: Logger
  readonly system: System
  readonly passwordCost?: PasswordCost
  readonly clearAccount: NonNullable<IdentityDeps['clearAccount']>
}

export interface Authentication {
  readonly identity: Identity
  readonly access: Access
  /** What access tokens are verified by. */
  readonly keys: SigningKeys
  readonly authenticate: ReturnType<typeof createAuthenticator>
  /** A fresh one-time code for whoever is to run the installation; undefined when somebody does. */
  readonly issueOperatorCode: () => Promise<string | undefined>
  /** Writes what is remembered of the use of sessions and keys. */
  readonly flush: () => Promise<void>
}

const usesDelayMs = 5_000

/** Puts together who there is, how they prove it, and how a request is told from. */
export function createAuthentication(deps: AuthenticationDeps): Authentication {
  const { database, secretKey, issuer, audit, logger, system } = deps
  const { system: db, prepared } = database
  const { newId, randomBytes } = system
  const now = () => new Date(system.now())
  const keys = createSigningKeys({ db, box: createSecretBox(secretKey, 'signing-keys', randomBytes), now })
  const tokens = createAccessTokens({ keys, now, issuer })
  const onError = (error: unknown) => logger.warn({ err: error }, 'the use of credentials could not be written')
  const sessionUses = createUsageRecorder<SessionUse>({ write: (uses) => writeSessionUses(db, uses), delayMs: usesDelayMs, onError })
  const keyUses = createUsageRecorder<Date>({ write: (uses) => writeKeyUses(db, uses), delayMs: usesDelayMs, onError })
  return {
    identity: createIdentity({
      db,
      tokens: { access: tokens, refresh: createRefreshTokens(secretKey, randomBytes) },
      passwords: createPasswordHasher(deps.passwordCost === undefined ? {} : { cost: deps.passwordCost }),
      now,
      newId,
      clearAccount: deps.clearAccount,
      report: (event) => void report(audit, event).catch((error: unknown) => logger.warn({ err: error }, 'an event could not be kept')),
    }),
    keys,
    access: createAccess({ now, newId, randomBytes }),
    authenticate: createAuthenticator({
      tokens,
      findSession: createSessionFinder({ prepared, now }),
      findKeys: createKeyFinder(prepared),
      sessionUses,
      keyUses,
      now,
    }),
    issueOperatorCode: () => createOperatorCodes({ db, now, randomBytes }).issue(),
    flush: async () => {
      await Promise.all([sessionUses.flush(), keyUses.flush()])
    },
  }
}

/** What happens around sign-in without an operation that succeeds, into the same log as the rest. */
function report(audit: AuditLog, event: IdentityEvent): Promise<void> {
  const { accountId, userId, ip, userAgent } = event
  const actor = userId === undefined ? 'anonymous' : `user:${toTypeId('usr', userId)}`
  const target = event.type === 'refresh_token_reused' ? toTypeId('ses', event.sessionId) : undefined
  const details = { userAgent: userAgent ?? null }
  return audit.write({ accountId, actor, event: `auth.${event.type}`, target, requestId: undefined, ip, details })
}
