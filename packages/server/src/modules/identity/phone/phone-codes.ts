import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Fault } from '@millrace/contract'
import { digestOf } from '#platform/auth/link-token.ts'
import { randomBase62 } from '#platform/auth/base62.ts'
import type { Rows } from '#platform/db/rows.ts'
import { mailLocaleOf } from '#platform/mail/templates/compose-mail.ts'
import type { Sms } from '#platform/sms/sms-job.ts'
import type { CountMessage } from './phone-limits.ts'
import { type CodePurpose, countCodeAttempt, deletePhoneCode, insertPhoneCode, type PhoneCode } from './phone-store.ts'
import { phoneText } from './phone-text.ts'

export interface PhoneCodeDeps {
  /** The system pool: the user of a code is not known before it is found. */
  readonly db: Kysely<Rows>
  readonly sms: Sms
  readonly count: CountMessage
  /** A key outside of the database: six digits are few. */
  readonly key: Uint8Array
  /** The public address of the installation. */
  readonly origin: string | undefined
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
}

/** For whom a code is sent. */
export interface CodeOrder {
  readonly purpose: CodePurpose
  readonly number: string
  readonly user: PhoneCode['user']
  readonly secondFactor: boolean
  readonly ip: string
}

export interface SentCode {
  /** The secret of the program that asked. */
  readonly request: string
  readonly expiresAt: Date
}

export interface GivenCode {
  readonly request: string
  readonly code: string
}

export type UsedCode = Pick<PhoneCode, 'number' | 'secondFactor'> & { readonly accountId: string; readonly userId: string }

/** Sends codes by text message, and checks them. */
export interface PhoneCodes {
  send(order: CodeOrder): Promise<SentCode>
  /**
   * Checks a code and uses it up; `undefined` when it is wrong. The attempt counts in any case.
   * @param ofUser the user to whom the code has to belong; any if it is not given.
   */
  use(purpose: CodePurpose, given: GivenCode, ofUser?: PhoneCode['user']): Promise<UsedCode | undefined>
}

const validMs = 10 * 60 * 1000
const requestLength = 43

export function createPhoneCodes({ db, sms, count, key, origin, now, randomBytes }: PhoneCodeDeps): PhoneCodes {
  const hashOf = (requestHash: Uint8Array, code: string) => createHmac('sha256', key).update(requestHash).update(code).digest()
  return {
    async send({ purpose, number, user, secondFactor, ip }) {
      if (!sms.isAvailable) throw new Fault('sms_unavailable')
      await sms.prepare()
      const at = now()
      const expiresAt = new Date(at.getTime() + validMs)
      const request = `mlp_${randomBase62(requestLength, randomBytes)}`
      const code = sixDigits(randomBytes)
      const requestHash = digestOf(request)
      await db.transaction().execute(async (tx) => {
        const isSent = user !== undefined
        await count(tx, { purpose, number, userId: user?.userId, ip, isSent }, at)
        const stored = { requestHash, purpose, user, number, codeHash: hashOf(requestHash, code), secondFactor, expiresAt }
        const locale = await insertPhoneCode(tx, stored, at)
        await sms.send(tx, { to: isSent ? number : undefined, text: phoneText(mailLocaleOf(locale), code, origin), expiresAt })
      })
      return { request, expiresAt }
    },
    async use(purpose, { request, code }, ofUser) {
      const requestHash = digestOf(request)
      const found = await countCodeAttempt(db, purpose, requestHash, now())
      if (found === undefined) return undefined
      const matches = timingSafeEqual(found.codeHash, hashOf(requestHash, code.replaceAll(/\D/g, '')))
      const { user, number, secondFactor } = found
      if (!matches || user === undefined) return undefined
      if (ofUser !== undefined && (ofUser.userId !== user.userId || ofUser.accountId !== user.accountId)) return undefined
      return (await deletePhoneCode(db, requestHash)) ? { ...user, number, secondFactor } : undefined
    },
  }
}

function sixDigits(randomBytes: (size: number) => Uint8Array): string {
  // 48 bits: the bias of the remainder is below one in a hundred millions.
  const number = Buffer.from(randomBytes(6)).readUIntBE(0, 6) % 1_000_000
  return String(number).padStart(6, '0')
}
