import { isDeepStrictEqual } from 'node:util'
import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Tx } from '#platform/http/index.ts'
import {
  countConsents,
  endConsent,
  findLatest,
  findPreferences,
  insertConsent,
  listConsents,
  lockGiven,
  putPreferences,
} from './consent-store.ts'
import { type Consent, type ConsentKind, type ConsentTerms, type Preferences, preferencesDefault, stateAt } from './model.ts'

export interface ConsentsDeps {
  readonly now: () => number
  readonly newId: () => string
}

export type Consents = ReturnType<typeof createConsents>

/** Records the consents and privacy preferences of accounts. */
export function createConsents({ now, newId }: ConsentsDeps) {
  async function begin(tx: Tx, accountId: string, kind: ConsentKind, terms: ConsentTerms, by: string, expiresAt: Date | undefined) {
    const at = new Date(now())
    const event = { state: 'given', at: at.toISOString(), by } as const
    const consent: Consent = { id: newId(), kind, state: 'given', terms, events: [event], expiresAt }
    await insertConsent(tx, accountId, consent, at)
    return consent
  }

  async function end(tx: Tx, accountId: string, consent: Consent, state: 'withdrawn' | 'replaced', by: string): Promise<Consent> {
    const ended: Consent = { ...consent, state, events: [...consent.events, { state, at: new Date(now()).toISOString(), by }] }
    await endConsent(tx, accountId, ended)
    return ended
  }

  return {
    async overview(tx: Tx, accountId: string) {
      const [history, found] = [await listConsents(tx, accountId), await findPreferences(tx, accountId)]
      const latest = history.find(({ kind }) => kind === 'cross-border') ?? (await findLatest(tx, accountId, 'cross-border'))
      return { history, latest, preferences: found?.preferences ?? preferencesDefault, revision: found?.revision ?? 0 }
    },

    async give(
      tx: Tx,
      accountId: string,
      terms: ConsentTerms,
      { by, expiresAt }: { readonly by: string; readonly expiresAt: Date | undefined },
    ) {
      if (expiresAt !== undefined && expiresAt.getTime() <= now())
        throw new Fault('request_invalid', { errors: [{ pointer: '/expiresAt', detail: 'Must be in the future.' }] })
      const given = await lockGiven(tx, accountId, 'cross-border')
      if (given !== undefined) {
        // The database keeps the members in an order of its own.
        const isSame = isDeepStrictEqual([given.terms, given.expiresAt], [terms, expiresAt])
        if (isSame && stateAt(given, now()) === 'given') return given
        await end(tx, accountId, given, 'replaced', by)
      }
      return begin(tx, accountId, 'cross-border', terms, by, expiresAt)
    },

    async withdraw(tx: Tx, accountId: string, by: string): Promise<Consent> {
      const given = await lockGiven(tx, accountId, 'cross-border')
      if (given === undefined) throw new Fault('not_found', { detail: 'No consent to transfers is in force.' })
      return end(tx, accountId, given, 'withdrawn', by)
    },

    async setPreferences(
      tx: Tx,
      accountId: string,
      preferences: Preferences,
      { by, ifMatch }: { readonly by: string; readonly ifMatch: readonly number[] | undefined },
    ): Promise<{ readonly revision: number; readonly before: Preferences }> {
      const given = await lockGiven(tx, accountId, 'privacy-preferences')
      const before = await findPreferences(tx, accountId)
      if (ifMatch?.includes(before?.revision ?? 0) === false)
        throw new Fault('revision_mismatch', {
          detail: `The preferences are at revision ${before?.revision ?? 0}. Read them again and repeat the change.`,
        })
      if (given !== undefined) await end(tx, accountId, given, 'replaced', by)
      const { decisionLogDays: _days, refusedKinds, ...choices } = preferences
      const purposes = Object.entries(choices).map(([destination, choice]) => `${destination}: ${choice}`)
      await begin(tx, accountId, 'privacy-preferences', { purposes, categories: refusedKinds, recipients: [], regions: [] }, by, undefined)
      const revision = await putPreferences(tx, accountId, preferences, new Date(now()))
      return { revision, before: before?.preferences ?? preferencesDefault }
    },

    /** The state of the consent to transfers, with its terms if it is in force. */
    async crossBorder(db: Kysely<Rows>, accountId: string) {
      const latest = await findLatest(db, accountId, 'cross-border')
      if (latest === undefined) return { state: 'never' as const, terms: undefined }
      const isGiven = stateAt(latest, now()) === 'given'
      return isGiven ? { state: 'given' as const, terms: latest.terms } : { state: 'withdrawn' as const, terms: undefined }
    },

    preferences: async (db: Kysely<Rows>, accountId: string): Promise<Preferences> =>
      (await findPreferences(db, accountId))?.preferences ?? preferencesDefault,

    count: (db: Kysely<Rows>, accountId: string) => countConsents(db, accountId),
  }
}
