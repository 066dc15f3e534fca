import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { type AuthenticationMethod } from '#modules/identity/model.ts'
import { forgetAttempts, takeAttempt } from '#modules/identity/throttle-store.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { GivenPasskey } from '#modules/identity/passkeys/assert-passkey.ts'
import { acceptTotpStep, findTotp, useRecoveryCode } from './factor-store.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { totpStepOf } from './totp.ts'

/** What a user gives as a second factor. */
export interface GivenFactor {
  readonly code: string | undefined
  readonly recoveryCode: string | undefined
  /** For a code by text message. */
  readonly request: string | undefined
  readonly passkey: GivenPasskey | undefined
}

export interface ProveFactorDeps {
  readonly db: Kysely<Rows>
  readonly sealing: Sealing
  readonly recoveryCodes: RecoveryCodes
  readonly now: () => Date
  /** Checks a code that was sent to the phone of a user; absent in an installation that sends no text messages. */
  readonly provePasskey: (accountId: string, userId: string, given: GivenPasskey) => Promise<boolean>
  readonly provePhone?: (accountId: string, userId: string, given: { readonly request: string; readonly code: string }) => Promise<boolean>
}

/** Checks a second factor of a user and uses its code up; a Fault `code_invalid` when it is wrong, `rate_limited` after too many wrong ones. */
export type ProveFactor = (accountId: string, userId: string, given: GivenFactor) => Promise<AuthenticationMethod>

/** Guessing a code of six digits takes years at this rate. Counted by user, so that beginning further sign-ins gains nothing. */
const rule = { freeFailures: 5, delaySecondsFirst: 2, delaySecondsMax: 15 * 60, forgetSeconds: 24 * 60 * 60 }

export function createProveFactor(deps: ProveFactorDeps): ProveFactor {
  const { db, sealing, recoveryCodes, now } = deps

  async function check(accountId: string, userId: string, { code, recoveryCode, request, passkey }: GivenFactor) {
    if (passkey !== undefined) return (await deps.provePasskey(accountId, userId, passkey)) ? 'hwk' : undefined
    if (recoveryCode !== undefined)
      return (await useRecoveryCode(db, accountId, userId, recoveryCodes.hash(userId, recoveryCode))) ? 'rec' : undefined
    if (code === undefined) return undefined
    if (request !== undefined) return (await deps.provePhone?.(accountId, userId, { request, code })) === true ? 'sms' : undefined
    const totp = await findTotp(db, accountId, userId)
    if (totp?.confirmed !== true) return undefined
    const secret = await sealing.open(db, accountId, totpPlace(userId), totp.secret)
    const step = secret === undefined ? undefined : totpStepOf(secret, code, now())
    return step !== undefined && (await acceptTotpStep(db, accountId, userId, step)) ? 'otp' : undefined
  }

  return async (accountId, userId, given) => {
    assertOne(given)
    const subject = `factor:${userId}`
    const at = now()
    const { isCounted, until } = await takeAttempt(db, [{ subject, rule }], at)
    if (!isCounted) throw tooMany(until, at)
    const method = await check(accountId, userId, given)
    if (method === undefined) throw new Fault('code_invalid')
    await forgetAttempts(db, subject)
    return method
  }
}

/** Where the key of an authenticator is stored. */
export function totpPlace(userId: string) {
  return { table: 'user_totp', column: 'secret', row: userId }
}

function assertOne({ code, recoveryCode, request, passkey }: GivenFactor): void {
  if (passkey !== undefined) {
    if (code === undefined && recoveryCode === undefined && request === undefined) return
    throw new Fault('request_invalid', { errors: [{ pointer: '/passkey', detail: 'Send either `passkey` or a code.' }] })
  }
  if (code === undefined && recoveryCode === undefined)
    throw new Fault('request_invalid', { errors: [{ pointer: '/code', detail: 'Send `code`, `recoveryCode` or `passkey`.' }] })
  if (recoveryCode !== undefined && (code !== undefined || request !== undefined))
    throw new Fault('request_invalid', { errors: [{ pointer: '/recoveryCode', detail: 'Send either `code` or `recoveryCode`.' }] })
}

function tooMany(until: Date | undefined, at: Date): Fault {
  const waitMs = until === undefined ? 1000 : until.getTime() - at.getTime()
  return new Fault('rate_limited', {
    detail: 'Too many wrong codes. Repeat after `Retry-After` seconds.',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })
}
