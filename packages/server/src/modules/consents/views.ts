import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { toTypeId } from '#platform/ids.ts'
import { type Consent, stateAt } from './model.ts'

/** A consent with its receipt (ISO/IEC TS 27560). */
export function consentView(consent: Consent, accountId: string, now: number) {
  const { id, kind, terms, events, expiresAt } = consent
  const receipt = {
    schemaVersion: 'ISO/IEC TS 27560:2023' as const,
    recordId: toTypeId('cns', id),
    principal: toTypeId('acct', accountId),
    controller: 'The operator of this installation',
    purposes: terms.purposes.map((purpose) => ({
      purpose,
      lawfulBasis: 'consent' as const,
      categories: [...terms.categories],
      recipients: [...terms.recipients],
    })),
    regions: [...terms.regions],
    events: events.map(({ state, at, by }) => ({ state, at, by })),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
  const digest = createHash('sha256')
    .update(canonicalize(receipt) ?? '')
    .digest('hex')
  return { id: receipt.recordId, kind, state: stateAt(consent, now), receipt: { ...receipt, digest } }
}
