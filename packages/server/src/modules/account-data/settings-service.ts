import { Fault, type Publishers } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'

/** The settings of an account, without its retention. */
export interface AccountSettings {
  readonly name: string
  readonly locale: string | undefined
  readonly timeZone: string | undefined
  readonly requiresMfa: boolean
  readonly publishers: Publishers
  readonly revision: number
}

/** Each member that is `undefined` stays; `null` removes a value. */
export interface SettingsChange {
  readonly name: string | undefined
  readonly locale: string | null | undefined
  readonly timeZone: string | null | undefined
  readonly requiresMfa: boolean | undefined
  readonly publishers: Publishers | undefined
  readonly retentionDays: number | null | undefined
}

export interface SettingsDeps {
  readonly find: (tx: Tx, accountId: string) => Promise<AccountSettings | undefined>
  /** Locks the account until the transaction ends. */
  readonly lock: (tx: Tx, accountId: string) => Promise<AccountSettings | undefined>
  readonly put: (tx: Tx, accountId: string, settings: Omit<AccountSettings, 'revision'>) => Promise<void>
  readonly retentionMs: (tx: Tx, accountId: string) => Promise<number | undefined>
  readonly putRetention: (tx: Tx, accountId: string, milliseconds: number | undefined) => Promise<void>
  /** Whether the user has a second factor. */
  readonly hasFactor: (tx: Tx, accountId: string, userId: string) => Promise<boolean>
  /** Whether the operator demands a second factor in every account. */
  readonly isDemanded: boolean
}

const dayMs = 24 * 60 * 60 * 1000

export interface SettingsCaller {
  readonly userId: string
  readonly ifMatch: readonly number[] | undefined
}

/** Changes the settings of an account. */
export function createSettings({ find, lock, put, retentionMs, putRetention, hasFactor, isDemanded }: SettingsDeps) {
  async function retentionDays(tx: Tx, accountId: string): Promise<number | undefined> {
    const milliseconds = await retentionMs(tx, accountId)
    return milliseconds === undefined ? undefined : Math.ceil(milliseconds / dayMs)
  }

  /** The demand of the operator applies whatever the account has set. */
  const effective = <T extends Pick<AccountSettings, 'requiresMfa'>>(settings: T): T => ({
    ...settings,
    requiresMfa: isDemanded || settings.requiresMfa,
  })

  return {
    async read(tx: Tx, accountId: string) {
      const settings = await find(tx, accountId)
      if (settings === undefined) throw new Fault('unauthenticated')
      return { ...effective(settings), retentionDays: await retentionDays(tx, accountId) }
    },

    async update(tx: Tx, accountId: string, change: SettingsChange, { userId, ifMatch }: SettingsCaller) {
      const before = await lock(tx, accountId)
      if (before === undefined) throw new Fault('unauthenticated')
      assertRevision('account', before.revision, ifMatch)
      const retentionBefore = await retentionDays(tx, accountId)
      if (isDemanded && change.requiresMfa === false)
        throw new Fault('conflict', { detail: 'The operator of this installation demands a second factor in every account.' })
      if (change.requiresMfa === true && !before.requiresMfa && !(await hasFactor(tx, accountId, userId)))
        throw new Fault('conflict', { detail: 'Enroll a second factor yourself before you demand one of all users.' })
      const changed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
      if (change.retentionDays !== undefined)
        await putRetention(tx, accountId, change.retentionDays === null ? undefined : change.retentionDays * dayMs)
      const settings = {
        name: change.name ?? before.name,
        locale: change.locale === undefined ? before.locale : (change.locale ?? undefined),
        timeZone: change.timeZone === undefined ? before.timeZone : (change.timeZone ?? undefined),
        requiresMfa: change.requiresMfa ?? before.requiresMfa,
        publishers: change.publishers ?? before.publishers,
      }
      if (changed.length > 0) await put(tx, accountId, settings)
      const revision = before.revision + (changed.length > 0 ? 1 : 0)
      const updated = { ...effective(settings), revision, changed, retentionDays: await retentionDays(tx, accountId) }
      return { ...updated, before: { ...effective(before), retentionDays: retentionBefore } }
    },
  }
}

export type Settings = ReturnType<typeof createSettings>
