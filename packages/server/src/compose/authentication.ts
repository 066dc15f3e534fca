import type { Config } from '#config/read-config.ts'
import type { AuditLog } from '#modules/audit/index.ts'
import {
  createIdentity,
  createRegistrationGate,
  createOperatorCodes,
  createSessionFinder,
  findChallengeByToken,
  type Identity,
  type IdentityDeps,
  type IdentityEvent,
  type RegistrationGate,
  writeSessionUses,
} from '#modules/identity/index.ts'
import { createAccessTokens } from '#platform/auth/access-token.ts'
import { createAuthenticator, type SessionUse } from '#platform/auth/authenticator.ts'
import { createBreachedPasswords } from '#platform/auth/breached-passwords.ts'
import { createPasswordHasher, type PasswordCost, type PasswordHasher, type PasswordHasherOptions } from '#platform/auth/password-hasher.ts'
import { createRefreshTokens } from '#platform/auth/refresh-token.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createSigningKeys, type SigningKeys } from '#platform/auth/signing-keys.ts'
import { createUsageRecorder } from '#platform/auth/usage-recorder.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { openApiKeys } from './api-keys.ts'
import type { Flags } from './flags.ts'
import type { Logger } from './logger.ts'
import { welcomeOf } from './welcome.ts'
import type { System } from './system.ts'

export interface AuthenticationDeps {
  readonly database: Database
  readonly secretKey: Uint8Array
  /** The issuer of access tokens: the public address of the installation, or a name for it. */
  readonly issuer: string
  readonly audit: AuditLog
  readonly logger: Logger
  readonly system: System
  readonly passwordCost?: PasswordCost
  readonly clearAccount: NonNullable<IdentityDeps['clearAccount']>
  readonly findDeleted: NonNullable<IdentityDeps['findDeleted']>
  readonly config: Config
  readonly flags: Flags
  readonly http: GuardedFetch
  readonly mail: Mail
}

export interface Authentication {
  readonly identity: Identity
  readonly access: ReturnType<typeof openApiKeys>['access']
  /** Who may become a user. */
  readonly gate: RegistrationGate
  readonly passwords: PasswordHasher
  /** The keys that verify access tokens. */
  readonly keys: SigningKeys
  readonly authenticate: ReturnType<typeof createAuthenticator>
  /** A new one-time code that makes a user the operator; undefined if the installation has an operator. */
  readonly issueOperatorCode: () => Promise<string | undefined>
  /** Writes the recorded uses of sessions and keys. */
  readonly flush: () => Promise<void>
}

const usesDelayMs = 5_000

/** Connects identity, API keys and the authentication of requests. */
export function createAuthentication(deps: AuthenticationDeps): Authentication {
  const { database, secretKey, issuer, audit, logger, system } = deps
  const { system: db, prepared } = database
  const { newId, randomBytes } = system
  const now = () => new Date(system.now())
  const keys = createSigningKeys({ db, box: createSecretBox(secretKey, 'signing-keys', randomBytes), now })
  const tokens = createAccessTokens({ keys, now, issuer })
  const onError = (error: unknown) => logger.warn({ err: error }, 'failed to record the use of credentials')
  const sessionUses = createUsageRecorder<SessionUse>({ write: (uses) => writeSessionUses(db, uses), delayMs: usesDelayMs, onError })
  const apiKeys = openApiKeys({ database, system, delayMs: usesDelayMs, onError })
  const welcome = welcomeOf(deps)
  const gate = createRegistrationGate({ db, rule: deps.config.signIn.registration })
  const passwords = createPasswordHasher({
    ...(deps.passwordCost === undefined ? {} : { cost: deps.passwordCost }),
    ...breachedPasswordsOf(deps),
  })
  return {
    passwords,
    gate,
    identity: createIdentity({
      db,
      tokens: { access: tokens, refresh: createRefreshTokens(secretKey, randomBytes) },
      passwords,
      now,
      newId,
      randomBytes,
      ...(welcome === undefined ? {} : { welcome }),
      clearAccount: deps.clearAccount,
      findDeleted: deps.findDeleted,
      gate,
      settings: { demandsSecondFactor: deps.config.signIn.demandsSecondFactor },
      report: (event) =>
        void report(audit, event).catch((error: unknown) => logger.warn({ err: error }, 'failed to write an event to the audit log')),
    }),
    keys,
    access: apiKeys.access,
    authenticate: createAuthenticator({
      tokens,
      findSession: createSessionFinder({ prepared, now }),
      findKeys: apiKeys.find,
      findChallenge: (token) => findChallengeByToken(db, token, now()),
      sessionUses,
      keyUses: apiKeys.uses,
      now,
    }),
    issueOperatorCode: () => createOperatorCodes({ db, now, randomBytes }).issue(),
    flush: async () => {
      await Promise.all([sessionUses.flush(), apiKeys.uses.flush()])
    },
  }
}

function breachedPasswordsOf({ config, http, logger }: AuthenticationDeps): Pick<PasswordHasherOptions, 'isBreached'> {
  const source = config.signIn.breachedPasswords
  if (source === undefined) return {}
  const onError = (error: unknown) => logger.error({ err: error }, 'breached passwords cannot be looked up')
  return { isBreached: createBreachedPasswords(source, http, onError) }
}

/** Writes events of sign-in that no successful operation audits, such as failures, to the audit log. */
function report(audit: AuditLog, event: IdentityEvent): Promise<void> {
  const { accountId, userId, ip, userAgent } = event
  const actor = userId === undefined ? 'anonymous' : `user:${toTypeId('usr', userId)}`
  const target = event.type === 'refresh_token_reused' ? toTypeId('ses', event.sessionId) : undefined
  const details = { userAgent: userAgent ?? null }
  return audit.write({ accountId, actor, event: `auth.${event.type}`, target, requestId: undefined, ip, details })
}
