import { type EvidenceKey, verifierKeyOf } from './log/evidence-keys.ts'
import { shownChanges } from './changes.ts'
import type { VerifiedDay } from './log/verification.ts'
import type { KnownNames } from './query/event-names.ts'
import type { LoggedEvent } from './query/query-store.ts'
import { toTypeId } from '#platform/ids.ts'

export function eventView({
  id,
  at,
  actor,
  event,
  target,
  request_id: requestId,
  ip,
  details,
  day,
  index,
  revealed,
}: Omit<LoggedEvent, 'hash'>) {
  const log = day === null || index === null ? null : { date: day, index }
  return { id: toTypeId('aud', id), at, actor, event, target, requestId, ip, details, changes: shownChanges(revealed), log }
}

/** The names that things had at the time of an event, where they differ from today's. */
export function earlierView(earlier: KnownNames['earlier'], { id }: Pick<LoggedEvent, 'id'>) {
  const names = earlier.get(id)
  return names === undefined ? {} : { earlierNames: { ...names } }
}

export function dayView({ findings, anchor, ...day }: VerifiedDay) {
  return {
    ...day,
    anchor:
      anchor === null
        ? null
        : {
            leaves: anchor.size,
            witnesses: anchor.witnesses.map(({ name, at }) => ({ name, at: at.toISOString() })),
            stamped: anchor.isStamped,
            stampedAt: anchor.stampedAt?.toISOString() ?? null,
          },
    findings: findings.map((finding) => ({ ...finding, event: finding.event === null ? null : toTypeId('aud', finding.event) })),
  }
}

export function keyView(key: EvidenceKey) {
  const { purpose, name, keyId, publicKey, createdAt } = key
  return {
    purpose,
    name,
    keyId,
    algorithm: purpose === 'checkpoint' ? ('Ed25519' as const) : ('ECDSA P-256 with SHA-256' as const),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    verifierKey: purpose === 'checkpoint' ? verifierKeyOf(key) : null,
    createdAt: createdAt.toISOString(),
  }
}
