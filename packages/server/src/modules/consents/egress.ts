import type { PersonalDataKind } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Consents } from './consent-service.ts'
import type { Preferences } from './model.ts'

/** Where data is to go. */
export interface Destination {
  readonly kind: 'model' | 'connector' | 'webhook' | 'mail'
  readonly host: string
  /** A country code, EU, or undefined if it is not known, which counts as outside. */
  readonly region: string | undefined
}

export interface EgressVerdict {
  readonly action: 'allow' | 'redact' | 'refuse'
  readonly reason: string
}

export interface EgressRequest {
  readonly destination: Destination
  /** Kinds of personal data in what is to be sent. */
  readonly categories: readonly PersonalDataKind[]
  /** As `kind:id`. */
  readonly actor: string
  /** Whether the data leaves the region; by the region of the destination unless given. */
  readonly isTransfer?: boolean
}

export interface EgressDeps {
  readonly consents: Pick<Consents, 'crossBorder' | 'preferences'>
  /** The region of the installation; undefined if it is not configured. */
  readonly region: string | undefined
  /** The region of a destination that the caller does not know. */
  readonly regionOf: (host: string) => string | undefined
  /** Writes the decision to the log. */
  readonly record: (executor: Kysely<Rows>, accountId: string, request: EgressRequest, verdict: EgressVerdict) => Promise<void>
}

/** The preference about each kind of destination. */
export const preferenceOf = { model: 'models', connector: 'connectors', webhook: 'webhooks', mail: 'mail' } as const
/** Members of the European Union and the European Economic Area, which are one region. */
const europe = new Set('EU AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO'.split(' '))

export type Egress = ReturnType<typeof createEgress>

/** Decides whether personal data may leave the installation, and records the decision. */
export function createEgress({ consents, region, regionOf, record }: EgressDeps) {
  return {
    async decide(executor: Kysely<Rows>, accountId: string, asked: EgressRequest): Promise<EgressVerdict> {
      const { destination } = asked
      const request = { ...asked, destination: { ...destination, region: destination.region ?? regionOf(destination.host) } }
      const [consent, preferences] = [await consents.crossBorder(executor, accountId), await consents.preferences(executor, accountId)]
      const verdict = verdictOf(request, { consent, preferences, region })
      await record(executor, accountId, request, verdict)
      return verdict
    },
  }
}

/** What a decision follows from. */
export interface EgressBasis {
  readonly consent: Awaited<ReturnType<Consents['crossBorder']>>
  readonly preferences: Preferences
  readonly region: string | undefined
}

const consentPath = 'An owner gives the consent by POST /api/v1/account/consents/cross-border.'

/** Decides without recording. A destination that is known to be outside of the region needs the consent whatever is sent. */
export function verdictOf(request: EgressRequest, { consent, preferences, region }: EgressBasis): EgressVerdict {
  const { destination, categories } = request
  const isTransfer = request.isTransfer ?? !isInside(destination.region, region)
  if (categories.length === 0 && request.isTransfer !== true) return { action: 'allow', reason: 'There is no personal data to send.' }
  const refused = categories.filter((kind) => preferences.refusedKinds.includes(kind))
  if (refused.length > 0) return { action: 'refuse', reason: `The privacy preferences refuse to send ${refused.join(', ')}.` }
  const name = preferenceOf[destination.kind]
  const action = categories.length === 0 ? 'allow' : preferences[name]
  if (isTransfer) {
    const { terms } = consent
    const to = destination.region ?? 'an unknown region'
    if (terms === undefined)
      return { action: 'refuse', reason: `No consent to transfers is in force, and ${destination.host} is in ${to}. ${consentPath}` }
    const isCovered =
      terms.regions.length === 0 || (destination.region !== undefined && terms.regions.some((given) => isInside(destination.region, given)))
    if (!isCovered) return { action: 'refuse', reason: `The consent to transfers does not cover ${to}.` }
    if (terms.recipients.length > 0 && !terms.recipients.some((recipient) => isSameHost(recipient, destination.host)))
      return { action: 'refuse', reason: `The consent to transfers does not cover ${destination.host}.` }
    const outside = terms.categories.length === 0 ? [] : categories.filter((kind) => !terms.categories.includes(kind))
    // A preference that refuses is stricter.
    if (outside.length > 0 && action !== 'refuse')
      return { action: 'redact', reason: `The consent to transfers does not cover ${outside.join(', ')}.` }
  }
  return { action, reason: `The privacy preferences say ${action} for ${name}.` }
}

const isSameHost = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a destination is in a region; a region that is not known is not. */
export function isInside(destination: string | undefined, region: string | undefined): boolean {
  if (destination === undefined || region === undefined) return false
  if (destination === region) return true
  return region === 'EU' && europe.has(destination) ? true : europe.has(region) && europe.has(destination)
}
