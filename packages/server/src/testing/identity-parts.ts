import { randomBytes } from 'node:crypto'
import { createAccess, createKeyFinder, writeKeyUses } from '#modules/access/index.ts'
import {
  createIdentity,
  createOperatorCodes,
  createSessionFinder,
  findChallengeByToken,
  type IdentityDeps,
  type IdentityEvent,
  type IdentitySettings,
  writeSessionUses,
} from '#modules/identity/index.ts'
import { lockWorkflows } from '#modules/workflows/index.ts'
import { createAccessTokens } from '#platform/auth/access-token.ts'
import { createAuthenticator, type SessionUse } from '#platform/auth/authenticator.ts'
import { createPasswordHasher, type PasswordHasher } from '#platform/auth/password-hasher.ts'
import { createRefreshTokens } from '#platform/auth/refresh-token.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createSigningKeys } from '#platform/auth/signing-keys.ts'
import { createUsageRecorder } from '#platform/auth/usage-recorder.ts'
import type { Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'

/** Cheap: what costs in these tests is to be the database. */
const cost = { memoryKib: 64, passes: 1, lanes: 1 }
/** Uses are written when a test says so. */
const neverMs = 3_600_000

export interface IdentityPartsOptions {
  readonly settings?: IdentitySettings
  readonly passwords?: PasswordHasher
  readonly clearAccount?: NonNullable<IdentityDeps['clearAccount']>
}

/** Users, sessions and keys on a database, with a cheap hash, a clock of the caller's and everything within reach. */
export function createIdentityParts(
  { system: db, prepared }: Pick<Database, 'system' | 'prepared'>,
  now: () => Date,
  options: IdentityPartsOptions,
) {
  const { settings = {}, passwords = createPasswordHasher({ cost }), clearAccount } = options
  const limits = settings.sessionLimits
  const secretKey = randomBytes(32)
  const keys = createSigningKeys({ db, now, box: createSecretBox(secretKey, 'signing-keys', randomBytes) })
  const tokens = createAccessTokens({ keys, now, issuer: 'https://millrace.test' })
  const refreshTokens = createRefreshTokens(secretKey, randomBytes)
  const events: IdentityEvent[] = []
  const onError = (error: unknown) => {
    throw error
  }
  const sessionUses = createUsageRecorder<SessionUse>({ write: (uses) => writeSessionUses(db, uses), delayMs: neverMs, onError })
  const keyUses = createUsageRecorder<Date>({ write: (uses) => writeKeyUses(db, uses), delayMs: neverMs, onError })
  const identity = createIdentity({
    db,
    tokens: { access: tokens, refresh: refreshTokens },
    passwords,
    now,
    newId,
    randomBytes,
    report: (event) => events.push(event),
    ...(clearAccount === undefined ? {} : { clearAccount }),
    settings,
  })
  const authenticate = createAuthenticator({
    tokens,
    findSession: createSessionFinder({ prepared, now, ...(limits === undefined ? {} : { limits }) }),
    findKeys: createKeyFinder(prepared),
    findChallenge: (token) => findChallengeByToken(db, token, now()),
    sessionUses,
    keyUses,
    now,
  })
  return {
    keys,
    tokens,
    refreshTokens,
    passwords,
    identity,
    access: createAccess({ now, newId, randomBytes, lockWorkflows }),
    operatorCodes: createOperatorCodes({ db, now, randomBytes }),
    events,
    sessionUses,
    keyUses,
    authenticate,
  }
}
