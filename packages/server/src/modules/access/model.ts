import type { Scope } from '@millrace/contract'

/** A key for programs. Ids are uuids. */
export interface ApiKey {
  readonly id: string
  readonly accountId: string
  /** For whom the key acts. */
  readonly userId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** First characters of the newest secret. */
  readonly start: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly lastUsedAt: Date | undefined
}

/** A key with its secret, which is known at this moment alone. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: string
}

/** Keys that a user can have at a time: a bound, not a plan. */
export const keysOfUserMax = 100

/** How long an old secret may work on after a rotation. */
export const overlapMsMax = 7 * 24 * 60 * 60 * 1000
