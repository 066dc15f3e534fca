import { sql } from 'kysely'
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
  return async (db, accountId, userId) => summaryOf(await readFactors(db, accountId, userId), isDemanded)
}

interface FactorRow {
  readonly confirmed_at: Date | null
  readonly number: string | null
  readonly second_factor: boolean | null
  readonly codes: number
  readonly passkeys: number
  readonly requires_mfa: boolean
}

async function readFactors(db: Executor, accountId: string, userId: string): Promise<FactorRow | undefined> {
  const { rows } = await sql<FactorRow>`
    select t.confirmed_at, p.number, p.second_factor, a.requires_mfa,
      (select count(*)::int from recovery_codes r where r.account_id = a.id and r.user_id = ${userId}) as codes,
      (select count(*)::int from passkeys k where k.account_id = a.id and k.user_id = ${userId}) as passkeys
    from accounts a
    left join user_totp t on t.account_id = a.id and t.user_id = ${userId}
    left join user_phones p on p.account_id = a.id and p.user_id = ${userId}
    where a.id = ${accountId}`.execute(db)
  return rows[0]
}

function summaryOf(row: FactorRow | undefined, isDemanded: boolean): FactorSummary {
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
