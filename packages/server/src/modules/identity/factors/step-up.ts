import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { FindFactors } from '#modules/identity/completion/factor-summary.ts'
import type { AuthenticationMethod, Client, TokenPair } from '#modules/identity/model.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { findSignInCandidate, findUser } from '#modules/identity/store.ts'
import type { Throttle } from '#modules/identity/throttle.ts'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { GivenPasskey } from '#modules/identity/passkeys/assert-passkey.ts'
import type { ProveFactor } from './prove-factor.ts'

export interface StepUpDeps {
  readonly db: Kysely<Rows>
  readonly passwords: Pick<PasswordHasher, 'verify'>
  readonly throttle: Throttle
  readonly prove: ProveFactor
  readonly findFactors: FindFactors
  readonly sessions: Pick<SessionService, 'prepare' | 'replace'>
  readonly now: () => Date
}

export interface StepUpGiven {
  readonly password: string | undefined
  readonly code: string | undefined
  readonly recoveryCode: string | undefined
  readonly passkey: GivenPasskey | undefined
}

export interface StepUpResult {
  readonly authenticatedAt: Date
  /** Of the session that takes the place of the former one. */
  readonly tokens: TokenPair
  readonly method: 'password' | 'totp' | 'recovery_code' | 'passkey'
}

/** Proves the identity of a signed-in user again: by a passkey, by the second factor of those who have one, and by the password of all others. */
export type StepUp = (
  accountId: string,
  subject: { readonly userId: string; readonly sessionId: string },
  given: StepUpGiven,
  client: Client,
) => Promise<StepUpResult>

export function createStepUp({ db, passwords, throttle, prove, findFactors, sessions, now }: StepUpDeps): StepUp {
  async function checkPassword(accountId: string, userId: string, password: string, { ip }: Client): Promise<void> {
    const found = await findUser(db, accountId, userId)
    if (found === undefined) throw new Fault('unauthenticated')
    const { email } = found.user
    const candidate = await findSignInCandidate(db, { email, ip })
    const attempt = { email, ip, isFamiliar: candidate?.isFamiliar ?? false }
    await throttle.take(attempt)
    if (!(await passwords.verify(candidate?.hash, password))) throw new Fault('invalid_credentials', { detail: 'The password is wrong.' })
    await throttle.forgive(attempt)
  }

  return async (accountId, { userId, sessionId }, { password, code, recoveryCode, passkey }, client) => {
    const { totpSince } = await findFactors(db, accountId, userId)
    const renewed = async (method: StepUpResult['method'], amr: AuthenticationMethod): Promise<StepUpResult> => {
      const at = now()
      await sessions.prepare()
      // A new proof of identity ends the tokens of before: who has copied them does not gain from it (ASVS 7.2.4).
      const tokens = await sessions.replace(db, accountId, { userId, sessionId, method: amr }, client)
      return { authenticatedAt: at, method, tokens }
    }
    if (passkey !== undefined)
      return await renewed('passkey', await prove(accountId, userId, { code, recoveryCode, request: undefined, passkey }))
    if (totpSince !== undefined) {
      const amr = await prove(accountId, userId, { code, recoveryCode, request: undefined, passkey })
      return await renewed(amr === 'rec' ? 'recovery_code' : 'totp', amr)
    }
    if (password === undefined)
      throw new Fault('request_invalid', { errors: [{ pointer: '/password', detail: 'Is required, since you have no authenticator.' }] })
    await checkPassword(accountId, userId, password, client)
    return await renewed('password', 'pwd')
  }
}
