import { type RawBuilder, sql } from 'kysely'
import type { Factor } from '#modules/identity/model.ts'
import type { Executor } from '#modules/identity/store.ts'

/** The second factors of a user. */
export interface FactorSummary {
  /** Empty when signing in takes one step. */
  readonly factors: readonly Factor[]
  readonly totpSince: Date | undefined
  /** E.164 */
  readonly phone: string | undefined
  readonly phoneIsFactor: boolean
  readonly recoveryCodes: number
  readonly passkeys: number
  /** Whether the account, or the operator of the installation, demands a second factor. */
  readonly required: boolean
}

/** Reads the second factors of a user. */
export type FindFactors = (db: Executor, accountId: string, userId: string) => Promise<FactorSummary>

/** @param isDemanded whether the operator demands a second factor in every account, whatever the account has set. */
export function createFindFactors(isDemanded: boolean): FindFactors {
  return async (db, accountId, userId) => {
    const { rows } = await factorsSql(accountId, userId).execute(db)
    return summaryOf(rows[0], isDemanded)
  }
}

export interface FactorRow {
  readonly confirmed_at: Date | null
  readonly number: string | null
  readonly second_factor: boolean | null
  readonly codes: number
  readonly passkeys: number
  readonly requires_mfa: boolean
}

/** Whether a user has a second factor, by the columns of `factorsSql`: the same as in `summaryOf`. */
export const isActiveSql = sql`(confirmed_at is not null or coalesce(second_factor, false))`

/** A query for the factors of a user; without a row when the account is gone. */
export function factorsSql(accountId: string, userId: string): RawBuilder<FactorRow> {
  return sql<FactorRow>`
    select t.confirmed_at, p.number, p.second_factor, a.requires_mfa,
      (select count(*)::int from recovery_codes r where r.account_id = a.id and r.user_id = ${userId}::uuid) as codes,
      (select count(*)::int from passkeys k where k.account_id = a.id and k.user_id = ${userId}::uuid) as passkeys
    from accounts a
    left join user_totp t on t.account_id = a.id and t.user_id = ${userId}::uuid
    left join user_phones p on p.account_id = a.id and p.user_id = ${userId}::uuid
    where a.id = ${accountId}::uuid`
}

/** Reads the row of `factorsSql`. */
export function summaryOf(row: FactorRow | undefined, isDemanded: boolean): FactorSummary {
  const totpSince = row?.confirmed_at ?? undefined
  const phoneIsFactor = row?.second_factor === true
  const phone = row?.number ?? undefined
  const recoveryCodes = row?.codes ?? 0
  const isActive = totpSince !== undefined || phoneIsFactor
  const factors: Factor[] = []
  if (totpSince !== undefined) factors.push('totp')
  // With another factor, a code by text message would be the weaker way in, unless the user wants it.
  if (phoneIsFactor) factors.push('phone')
  if (isActive && recoveryCodes > 0) factors.push('recovery_code')
  const required = isDemanded || row?.requires_mfa === true
  const passkeys = row?.passkeys ?? 0
  // A passkey alone does not make a sign-in by password ask for it, unless the account demands a second factor.
  if (passkeys > 0 && (isActive || required)) factors.push('passkey')
  return { factors, totpSince, phone, phoneIsFactor, recoveryCodes, passkeys, required }
}
