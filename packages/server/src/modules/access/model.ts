import type { Scope } from '@millrace/contract'

/** An API key. Ids are uuids. */
export interface ApiKey {
  readonly id: string
  readonly accountId: string
  /** The user for whom the key acts. */
  readonly userId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The workflows to which the key is limited, without those that were deleted; undefined for a key without this limit. */
  readonly workflowIds: readonly string[] | undefined
  /** First characters of the newest secret. */
  readonly start: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly lastUsedAt: Date | undefined
  /** The OAuth client that a user allowed; absent for a key that a user made. */
  readonly clientId?: string
}

/** A key with its secret, which is shown only once. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: string
}

/** Limit of API keys for each user. */
export const keysOfUserMax = 100

/** Upper bound of the time for which an old secret stays valid after a rotation. */
export const overlapMsMax = 7 * 24 * 60 * 60 * 1000
