import { Fault, type PersonalDataKind } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { isLoopback } from '#platform/net/loopback.ts'
import type { Consents } from './consent-service.ts'
import { type Destination, type EgressDeps, isInside, preferenceOf, verdictOf } from './egress.ts'
import type { Preferences } from './model.ts'

/** Data of an account that is about to leave the installation. */
export interface Departure {
  readonly accountId: string
  readonly kind: Destination['kind']
  /** A host name without its port. */
  readonly host: string
  /** Where the account says that the host is; what the operator says about it is used first. */
  readonly region?: string | undefined
  /** As `kind:id`. */
  readonly actor: string
}

export interface DeparturesDeps {
  readonly db: Kysely<Rows>
  readonly consents: Pick<Consents, 'crossBorder' | 'preferences'>
  readonly region: string | undefined
  readonly regionOf: (host: string) => string | undefined
  readonly record: EgressDeps['record']
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What must happen before the data may leave: the kinds to redact; undefined if nothing. */
export type Admission = { readonly redact: ReadonlySet<PersonalDataKind> } | undefined

/** Finds which of some kinds of personal data are in what is to leave. */
export type FindKinds = (kinds: ReadonlySet<PersonalDataKind>) => readonly PersonalDataKind[]

export type Departures = ReturnType<typeof createDepartures>

/** What identifies a person by itself. Dates, places, organizations and URLs are looked for only if the account refuses them. */
const identifying: readonly PersonalDataKind[] = [
  'email',
  'phone',
  'credit_card',
  'iban',
  'ip_address',
  'mac_address',
  'crypto_address',
  'national_id',
  'person',
  'custom',
]

const cacheMs = 2_000
const cachedMax = 10_000

/**
 * Asks before data of an account leaves the installation. A host whose region is configured and is another one needs the consent to transfers,
 * whatever is sent; the preferences apply to every host but this machine. Fault `consent_required`.
 */
export function createDepartures({ db, consents, region, regionOf, record, now }: DeparturesDeps) {
  const cache = new Map<string, { readonly preferences: Preferences; readonly until: number }>()

  async function preferencesOf(accountId: string): Promise<Preferences> {
    const cached = cache.get(accountId)
    if (cached !== undefined && cached.until > now()) return cached.preferences
    const preferences = await consents.preferences(db, accountId)
    if (cache.size >= cachedMax) cache.clear()
    cache.set(accountId, { preferences, until: now() + cacheMs })
    return preferences
  }

  return {
    async admit({ accountId, kind, host, region: stated, actor }: Departure, find: FindKinds): Promise<Admission> {
      const own = regionOf(host) ?? stated
      const isTransfer = own !== undefined && !isInside(own, region)
      if (own === undefined && isLoopback(host)) return undefined
      const preferences = await preferencesOf(accountId)
      const { refusedKinds } = preferences
      const choice = preferences[preferenceOf[kind]]
      if (!isTransfer && choice === 'allow' && refusedKinds.length === 0) return undefined
      const consent = await consents.crossBorder(db, accountId)
      const kinds = new Set([...identifying, ...refusedKinds])
      const isExamined = choice !== 'allow' || refusedKinds.length > 0 || (consent.terms?.categories.length ?? 0) > 0
      const categories = isExamined ? find(kinds) : []
      const request = { destination: { kind, host, region: own ?? region }, categories, actor, isTransfer }
      const verdict = verdictOf(request, { consent, preferences, region })
      await record(db, accountId, request, verdict)
      if (verdict.action === 'refuse') throw new Fault('consent_required', { detail: verdict.reason })
      return verdict.action === 'redact' ? { redact: kinds } : undefined
    },

    /** After the commit of changed preferences. */
    forget: (accountId: string) => void cache.delete(accountId),
  }
}

/** Finds the region of a host: its own entry first, then that of the closest domain. */
export function hostRegions(entries: readonly { readonly host: string; readonly region: string }[]) {
  const regions = new Map(entries.map(({ host, region }) => [host, region]))
  return (host: string): string | undefined => {
    const labels = host.toLowerCase().split('.')
    const domains = labels.map((_, index) => `*.${labels.slice(index + 1).join('.')}`)
    return [labels.join('.'), ...domains].map((name) => regions.get(name)).find((region) => region !== undefined)
  }
}
