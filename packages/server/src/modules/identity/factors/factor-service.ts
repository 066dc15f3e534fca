import { Fault } from '@millrace/contract'
import type { Kysely, Transaction } from 'kysely'
import { challengeGuard, countChallengeAttempt, deleteChallenge, lockChallenge } from '#modules/identity/completion/challenge-store.ts'
import type { SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import { openGuarded } from '#modules/identity/completion/completion-store.ts'
import type { FindFactors } from '#modules/identity/completion/factor-summary.ts'
import { deviceOf } from '#modules/identity/device.ts'
import type { Client } from '#modules/identity/model.ts'
import { type SecurityChange, securityMail } from '#modules/identity/security-mail.ts'
import { type SessionService, userDeactivated } from '#modules/identity/session-service.ts'
import { sessionTimes } from '#modules/identity/session-state.ts'
import { findUser, type FoundUser, lockConfirmation } from '#modules/identity/store.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { PreparedKey, Sealing } from '#platform/sealing/sealing.ts'
import {
  confirmTotp,
  deleteFactors,
  findTotp,
  putMfaPolicy,
  putPendingTotp,
  replaceRecoveryCodes,
  revokeOtherSessions,
} from './factor-store.ts'
import { type GivenFactor, type ProveFactor, totpPlace } from './prove-factor.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { totpSecretBytes, totpStepOf, totpText, totpUri } from './totp.ts'

type Tx = Transaction<Rows>

export interface FactorDeps {
  /** The system pool, for sign-ins that are not finished. */
  readonly db: Kysely<Rows>
  readonly mail: Mail
  readonly sealing: Sealing
  readonly sessions: SessionService
  readonly recoveryCodes: RecoveryCodes
  readonly prove: ProveFactor
  readonly findFactors: FindFactors
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  /** Whether the operator demands a second factor in every account. */
  readonly isDemanded: boolean
  /** What authenticator apps show beside the address. */
  readonly issuer: string
}

/** The caller of an operation: a user, with the session that stays when others end. */
export interface Caller {
  readonly accountId: string
  readonly userId: string
  readonly sessionId: string | undefined
  readonly client: Client
}

export interface NewAuthenticator {
  readonly secret: string
  readonly uri: string
}

type SignedIn = Extract<SignInResult, { readonly status: 'signed_in' }>

/** Adds, checks and removes second factors. */
export type Factors = ReturnType<typeof createFactors>

export function createFactors(deps: FactorDeps) {
  const { db, mail, sealing, sessions, recoveryCodes, prove, findFactors, now, randomBytes, issuer, isDemanded } = deps

  async function foundUser(tx: Kysely<Rows>, accountId: string, userId: string): Promise<FoundUser> {
    const found = await findUser(tx, accountId, userId)
    if (found === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
    return found
  }

  /** Informs the user and ends the other sessions, as every change of a factor does. */
  async function changed(tx: Kysely<Rows>, { accountId, userId, sessionId, client }: Caller, change: SecurityChange): Promise<number> {
    const at = now()
    const { user, reader } = await foundUser(tx, accountId, userId)
    const data = { change, at, zone: reader.zone, ip: client.ip, device: deviceOf(client.userAgent) }
    const message = { accountId, to: user.email, template: securityMail, locale: reader.locale, data }
    if (mail.isAvailable) await mail.send(tx, message)
    return await revokeOtherSessions(tx, accountId, { userId, sessionId }, sessionTimes(at, sessions.limits))
  }

  /**
   * A second factor is added only once the address is confirmed. Otherwise who registers the address of another person could lock its owner out: a
   * confirmed factor is never removed by a proof of the address. Without a mail server no address can be confirmed, and none proves anything.
   */
  async function assertConfirmed(tx: Kysely<Rows>, accountId: string, userId: string): Promise<void> {
    if (!mail.isDelivered || (await lockConfirmation(tx, accountId, userId))) return
    throw new Fault('conflict', {
      detail:
        'Your address is not confirmed. Open the link in the mail of your registration, or send a new one by `POST /api/v1/auth/resend-verification`, and add the second factor then.',
    })
  }

  async function begin(tx: Kysely<Rows>, accountId: string, userId: string, root?: PreparedKey): Promise<NewAuthenticator> {
    await assertConfirmed(tx, accountId, userId)
    const { user } = await foundUser(tx, accountId, userId)
    const plain = randomBytes(totpSecretBytes)
    const secret = await sealing.seal(tx, accountId, totpPlace(userId), plain, root)
    if (!(await putPendingTotp(tx, accountId, { userId, secret, at: now() })))
      throw new Fault('conflict', { detail: 'You have an authenticator. Remove it by `DELETE /api/v1/auth/mfa` before you add another.' })
    return { secret: totpText(plain), uri: totpUri(plain, { issuer, email: user.email }) }
  }

  /** Turns the authenticator on by its first code, and makes recovery codes. */
  async function confirm(tx: Kysely<Rows>, accountId: string, userId: string, code: string): Promise<readonly string[]> {
    await assertConfirmed(tx, accountId, userId)
    const pending = await findTotp(tx, accountId, userId)
    if (pending === undefined) throw new Fault('conflict', { detail: 'No authenticator is being added. Begin again.' })
    const at = now()
    const plain = pending.confirmed ? undefined : await sealing.open(tx, accountId, totpPlace(userId), pending.secret)
    const step = plain === undefined ? undefined : totpStepOf(plain, code, at)
    if (step === undefined)
      throw new Fault('code_invalid', {
        detail: 'The code is not one of the new authenticator. Check the clock of the device, and try the next code.',
      })
    if (!(await confirmTotp(tx, accountId, { userId, secret: pending.secret, step, at }))) throw new Fault('code_invalid')
    return await putRecoveryCodes(tx, accountId, userId)
  }

  async function putRecoveryCodes(tx: Kysely<Rows>, accountId: string, userId: string): Promise<readonly string[]> {
    const codes = recoveryCodes.make()
    await replaceRecoveryCodes(tx, accountId, { userId, hashes: codes.map((code) => recoveryCodes.hash(userId, code)), at: now() })
    return codes
  }

  return {
    prepare: () => mail.prepare(),
    status: findFactors,
    begin,
    assertConfirmed,
    /** For other factors: informs the user of a change, and ends the other sessions. */
    changed,
    putRecoveryCodes,
    dropRecoveryCodes: (tx: Kysely<Rows>, accountId: string, userId: string) =>
      replaceRecoveryCodes(tx, accountId, { userId, hashes: [], at: now() }),

    async finish(tx: Tx, caller: Caller, code: string) {
      const codes = await confirm(tx, caller.accountId, caller.userId, code)
      return { recoveryCodes: codes, sessionsEnded: await changed(tx, caller, 'mfa_enabled') }
    },

    async renewRecoveryCodes(tx: Tx, caller: Caller): Promise<readonly string[]> {
      const { totpSince, phoneIsFactor } = await findFactors(tx, caller.accountId, caller.userId)
      if (totpSince === undefined && !phoneIsFactor)
        throw new Fault('conflict', { detail: 'Recovery codes replace a second factor, and you have none. Add one first.' })
      const codes = await putRecoveryCodes(tx, caller.accountId, caller.userId)
      await changed(tx, caller, 'recovery_codes_made')
      return codes
    },

    async remove(tx: Tx, caller: Caller): Promise<number> {
      const { required } = await findFactors(tx, caller.accountId, caller.userId)
      if (required) throw new Fault('conflict', { detail: 'The account demands a second factor of its users.' })
      if (!(await deleteFactors(tx, caller.accountId, caller.userId))) throw new Fault('conflict', { detail: 'You have no second factor.' })
      return await changed(tx, caller, 'mfa_disabled')
    },

    async setPolicy(tx: Tx, accountId: string, userId: string, required: boolean): Promise<void> {
      if (isDemanded && !required)
        throw new Fault('conflict', { detail: 'The operator of this installation demands a second factor in every account.' })
      const { factors, passkeys } = await findFactors(tx, accountId, userId)
      if (required && factors.length === 0 && passkeys === 0)
        throw new Fault('conflict', { detail: 'Add a second factor yourself before you demand one of others.' })
      await putMfaPolicy(tx, accountId, required)
    },

    /** Begins the enrolment that a sign-in demands. */
    async enroll(accountId: string, challengeId: string): Promise<NewAuthenticator> {
      const root = await sealing.prepare()
      return await db.transaction().execute(async (tx) => {
        const challenge = await lockChallenge(tx, accountId, challengeId, now())
        if (challenge?.kind !== 'enroll') throw notThisStep()
        return await begin(tx, accountId, challenge.userId, root)
      })
    },

    async finishEnrollment(
      accountId: string,
      challengeId: string,
      code: string,
      client: Client,
    ): Promise<SignedIn & { recoveryCodes: readonly string[] }> {
      // Committed by itself, so that a wrong code counts although its transaction is rolled back.
      const counted = await countChallengeAttempt(db, accountId, challengeId, now())
      if (counted?.kind !== 'enroll') throw notThisStep()
      await sessions.prepare()
      return await db.transaction().execute(async (tx) => {
        const { userId, methods, delivery } = counted
        const { user } = await foundUser(tx, accountId, userId)
        const codes = await confirm(tx, accountId, userId, code)
        if (!(await deleteChallenge(tx, accountId, challengeId))) throw new Fault('code_invalid')
        await changed(tx, { accountId, userId, sessionId: undefined, client }, 'mfa_enabled')
        const tokens = await sessions.open(tx, user, client, [...methods, 'otp'])
        return { status: 'signed_in', delivery, user, tokens, recoveryCodes: codes }
      })
    },

    /** Finishes a sign-in by a second factor. */
    async answer(accountId: string, challengeId: string, given: GivenFactor, client: Client): Promise<SignedIn> {
      const challenge = await countChallengeAttempt(db, accountId, challengeId, now())
      if (challenge?.kind !== 'verify') throw notThisStep()
      const { userId, methods, delivery } = challenge
      const method = await prove(accountId, userId, given)
      await sessions.prepare()
      const session = sessions.make({ id: userId, accountId }, client)
      const guard = { name: 'challenge', sql: challengeGuard(accountId, challengeId) }
      const opened = await openGuarded(db, guard, { session, methods: [...methods, method] })
      if (opened === undefined) throw new Fault('code_invalid')
      if (!opened.isOpened) throw userDeactivated()
      return { status: 'signed_in', delivery, user: opened.user, tokens: await session.tokens() }
    },
  }
}

function notThisStep(): Fault {
  return new Fault('forbidden', { detail: 'The credential is not a challenge of this step. Look at `status` of the sign-in.' })
}
