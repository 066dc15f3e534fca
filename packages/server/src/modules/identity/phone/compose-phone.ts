import type { authPhone } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { ProveFactorDeps } from '#modules/identity/factors/prove-factor.ts'
import { deriveKey } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import type { Sms } from '#platform/sms/sms-job.ts'
import { createPhoneCodes } from './phone-codes.ts'
import { phoneHandlers } from './phone-handlers.ts'
import { createPhoneLimits, deleteEndedCounts } from './phone-limits.ts'
import { createPhones, type PhoneDeps } from './phone-service.ts'
import { deleteExpiredPhoneCodes } from './phone-store.ts'

export interface PhoneParts {
  readonly db: Kysely<Rows>
  readonly sms: Sms
  readonly settings: { readonly countries: ReadonlySet<string> | undefined; readonly dailyMax: number }
  readonly secretKey: Uint8Array
  readonly origin: string | undefined
  readonly logger: { warn(details: object, message: string): void }
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
}

type SignInParts = Pick<PhoneDeps, 'factors' | 'sessions' | 'completeSignIn'> & { readonly cookie: SessionCookie }

const rowsMax = 1_000

/** Codes by text message. */
export function composePhone({ db, sms, settings, secretKey, origin, logger, now, randomBytes }: PhoneParts) {
  const onExhausted = () => logger.warn({ dailyMax: settings.dailyMax }, 'text messages refused: MILLRACE_SMS_DAILY_MAX is reached')
  const count = createPhoneLimits({ key: deriveKey(secretKey, 'text-message-counts'), dailyMax: settings.dailyMax, onExhausted })
  const codes = createPhoneCodes({ db, sms, count, key: deriveKey(secretKey, 'phone-codes'), origin, now, randomBytes })
  const prove: ProveFactorDeps['provePhone'] = async (accountId, userId, given) =>
    (await codes.use('second-factor', given, { accountId, userId })) !== undefined
  return {
    prove,
    handlers: ({ cookie, ...parts }: SignInParts): HandlersFor<typeof authPhone> =>
      phoneHandlers(createPhones({ ...parts, db, codes, countries: settings.countries, now }), cookie),
    maintenance: [
      { name: 'phone-codes', run: () => deleteExpiredPhoneCodes(db, now(), rowsMax) },
      { name: 'text-message-counts', run: () => deleteEndedCounts(db, now(), rowsMax) },
    ],
  }
}
