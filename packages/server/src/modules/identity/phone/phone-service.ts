import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { type Delivery, findChallengeByToken } from '#modules/identity/completion/challenge-store.ts'
import type { CompleteSignIn, SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import { hasWayIn } from '#modules/identity/external/identity-store.ts'
import type { Caller, Factors } from '#modules/identity/factors/factor-service.ts'
import type { Client } from '#modules/identity/model.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { findUser } from '#modules/identity/store.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { GivenCode, PhoneCodes, SentCode } from './phone-codes.ts'
import { readPhoneNumber } from './phone-number.ts'
import { deletePhone, findPhoneUser, phoneGuard, putPhone } from './phone-store.ts'

export interface PhoneDeps {
  /** The system pool: a user who signs in has no account yet. */
  readonly db: Kysely<Rows>
  readonly codes: PhoneCodes
  readonly factors: Pick<
    Factors,
    'prepare' | 'status' | 'assertConfirmed' | 'changed' | 'putRecoveryCodes' | 'dropRecoveryCodes' | 'answer'
  >
  readonly sessions: Pick<SessionService, 'prepare'>
  readonly completeSignIn: CompleteSignIn
  /** Countries to which codes are sent; `undefined` for all. */
  readonly countries: ReadonlySet<string> | undefined
  readonly now: () => Date
}

export interface EnrolledPhone {
  readonly number: string
  readonly secondFactor: boolean
  /** Of a user whose first second factor this is. */
  readonly recoveryCodes: readonly string[] | undefined
  readonly sessionsEnded: number
}

/** Phone numbers of users: adding, removing, and signing in by them. */
export type Phones = ReturnType<typeof createPhones>

export function createPhones({ db, codes, factors, sessions, completeSignIn, countries, now }: PhoneDeps) {
  async function challengeOf(token: string) {
    const challenge = await findChallengeByToken(db, token, now())
    if (challenge !== undefined) return challenge
    throw new Fault('code_invalid', { detail: 'The challenge is wrong or has ended. Begin the sign-in again.' })
  }

  /** Removes a factor; a Fault when the account demands one and no other is left. */
  async function assertFactorLeft(tx: Kysely<Rows>, { accountId, userId }: Caller): Promise<void> {
    const { factors: left, required } = await factors.status(tx, accountId, userId)
    if (left.length > 0) return
    if (required) throw new Fault('conflict', { detail: 'The account demands a second factor, and you would have no other one.' })
    await factors.dropRecoveryCodes(tx, accountId, userId)
  }

  return {
    async enroll(caller: Caller, given: { readonly number: string; readonly secondFactor: boolean }): Promise<SentCode> {
      const number = await readPhoneNumber(given.number, countries)
      const { accountId, userId, client } = caller
      if (given.secondFactor) await factors.assertConfirmed(db, accountId, userId)
      return await codes.send({ purpose: 'enroll', number, user: { accountId, userId }, secondFactor: given.secondFactor, ip: client.ip })
    },

    async finishEnrolment(caller: Caller, given: GivenCode): Promise<EnrolledPhone> {
      const { accountId, userId } = caller
      const used = await codes.use('enroll', given, { accountId, userId })
      if (used === undefined) throw new Fault('code_invalid')
      const { number, secondFactor } = used
      await factors.prepare()
      return await db.transaction().execute(async (tx) => {
        if (secondFactor) await factors.assertConfirmed(tx, accountId, userId)
        const before = await factors.status(tx, accountId, userId)
        if (!(await putPhone(tx, accountId, { userId, number, secondFactor }, now())))
          throw new Fault('conflict', { detail: 'Another user has this number. Remove it there first.' })
        if (!secondFactor) await assertFactorLeft(tx, caller)
        const isFirst = secondFactor && before.factors.length === 0
        const recoveryCodes = isFirst ? await factors.putRecoveryCodes(tx, accountId, userId) : undefined
        return { number, secondFactor, recoveryCodes, sessionsEnded: await factors.changed(tx, caller, 'phone_changed') }
      })
    },

    async remove(caller: Caller): Promise<number> {
      const { accountId, userId } = caller
      await factors.prepare()
      return await db.transaction().execute(async (tx) => {
        if (!(await hasWayIn(tx, accountId, userId)))
          throw new Fault('conflict', { detail: 'Without the number you could not sign in any more. Set a password first.' })
        if (!(await deletePhone(tx, accountId, userId))) throw new Fault('conflict', { detail: 'You have no phone number.' })
        await assertFactorLeft(tx, caller)
        return await factors.changed(tx, caller, 'phone_changed')
      })
    },

    /** Sends a code that signs in, if a user signs in by the number. */
    async sendSignInCode(given: string, client: Client): Promise<SentCode> {
      const number = await readPhoneNumber(given, countries)
      const user = await findPhoneUser(db, number)
      return await codes.send({ purpose: 'sign-in', number, user, secondFactor: false, ip: client.ip })
    },

    /** Sends the code of the second step of a sign-in. */
    async sendFactorCode(token: string, client: Client): Promise<SentCode> {
      const { accountId, userId, methods } = await challengeOf(token)
      const { phone, phoneIsFactor } = await factors.status(db, accountId, userId)
      if (phone === undefined || !phoneIsFactor || methods.includes('sms'))
        throw new Fault('conflict', { detail: 'This sign-in does not accept a code by text message. Look at `factors` of its first step.' })
      return await codes.send({ purpose: 'second-factor', number: phone, user: { accountId, userId }, secondFactor: true, ip: client.ip })
    },

    async signIn(given: GivenCode, delivery: Delivery, client: Client): Promise<SignInResult> {
      const used = await codes.use('sign-in', given)
      if (used === undefined) throw new Fault('code_invalid')
      await sessions.prepare()
      const { accountId, userId, number } = used
      const found = await findUser(db, accountId, userId)
      if (found === undefined) throw new Fault('code_invalid')
      // The number may have been removed, or made a second factor, after the code was sent.
      const guard = { name: 'phone', sql: phoneGuard(accountId, userId, number) }
      const result = await completeSignIn(db, found.user, { client, methods: ['sms'], delivery }, guard)
      if (result === undefined) throw new Fault('code_invalid')
      return result
    },

    /** Finishes a sign-in by the code of its second step. */
    async finishSignIn(token: string, { request, code }: GivenCode, client: Client): Promise<SignInResult> {
      const { accountId, id } = await challengeOf(token)
      return await factors.answer(accountId, id, { code, request, recoveryCode: undefined, passkey: undefined }, client)
    },
  }
}
