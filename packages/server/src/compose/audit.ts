import { audit } from '@millrace/contract'
import { createExecutionReader } from '@millrace/engine/storage'
import {
  auditHandlers,
  createAnchorer,
  createAuditReading,
  deleteChangesOf,
  createDestinations,
  createEventNames,
  createEvidenceKeys,
  createLogVerifier,
  createSequencer,
  createStreamer,
  type StreamerDeps,
} from '#modules/audit/index.ts'
import { notify } from '#modules/notifications/index.ts'
import { versionQuery } from '#modules/workflows/index.ts'
import type { NameSource } from '#platform/db/name-source.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { served } from '#platform/http/index.ts'
import { certificatesOf, verifyTimeStamp } from '#platform/time-stamp/verify-time-stamp.ts'
import { eventAdmission } from './departures.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** The audit log with the process that appends to it, and the one that streams it. */
export function composeAudit(parts: FeatureParts, names: readonly NameSource[]) {
  const { database, enginePool, secretKey, config, logger, system } = parts
  const host = keyName(config.http.publicUrl)
  const keys = createEvidenceKeys({
    db: database.system,
    box: createSecretBox(secretKey, 'evidence-keys', system.randomBytes),
    name: host,
    now: system.now,
  })
  const sequencer = createSequencer({
    db: database.system,
    keys,
    reader: createExecutionReader({ pool: enginePool, versionQuery }),
    now: system.now,
    onError: (error) => logger.warn({ err: error }, 'audit log not appended'),
  })
  const { timeStampUrl, timeStampCa, witnesses } = config.attestation
  const authorities = timeStampCa === undefined ? undefined : certificatesOf(timeStampCa)
  const reading = createAuditReading({
    database,
    keys,
    sequencer,
    names: createEventNames(names),
    verifier: createLogVerifier({
      database,
      keys,
      witnesses: witnesses.map(({ key }) => key),
      verifyStamp: authorities === undefined ? undefined : (token, text) => verifyTimeStamp(token, text, authorities),
    }),
  })
  const loop = sequencer.loop()
  const anchorer = createAnchorer({
    db: database.system,
    keys,
    http: parts.http,
    timeStampUrl,
    witnesses,
    now: system.now,
    onError: (error) => logger.warn({ err: error }, 'audit log not attested'),
  })
  const isAttested = timeStampUrl !== undefined || witnesses.length > 0
  const { destinations, streamer } = openStreaming(parts, host)
  const feature: Feature = {
    purge: deleteChangesOf,
    groups: { audit: served(audit, auditHandlers({ service: reading, destinations, streams: parts.eventStreams, now: system.now })) },
    loops: [
      { role: 'scheduler', start: () => loop.start(), stop: () => loop.stop() },
      ...(isAttested ? [{ role: 'scheduler', start: () => anchorer.start(), stop: () => anchorer.stop() } as const] : []),
      { role: 'scheduler', start: () => streamer.start(), stop: () => streamer.stop(parts.cutOffMs()) },
    ],
  }
  return { feature, reading, keys }
}

function openStreaming({ database, http, connections, departures, secretKey, logger, system, closing }: FeatureParts, host: string) {
  const { now, newId, randomBytes } = system
  const sending = {
    http,
    address: connections.address,
    admit: eventAdmission(departures, 'system:audit'),
    host,
    now,
    newId,
    box: createSecretBox(secretKey, 'audit-destinations', randomBytes),
  }
  return {
    destinations: createDestinations({ ...sending, database, randomBytes, closing }),
    streamer: createStreamer({
      ...sending,
      db: database.system,
      chance: () => randomBytes(4).readUInt32BE() / 2 ** 32,
      onPaused: notifyPaused,
      onError: (error) => logger.warn({ err: error }, 'audit log not streamed'),
    }),
  }
}

const notifyPaused: StreamerDeps['onPaused'] = (tx, { id, accountId, name }, reason) =>
  notify(tx, {
    accountId,
    roles: ['owner', 'admin'],
    kind: 'security.event',
    title: `The audit log is no longer sent to "${name}"`,
    body: `Every attempt failed, at last because ${reason}. Correct the cause and resume the destination: it continues where it stopped.`,
    link: '/audit',
    groupKey: `audit-destination.paused/${id}`,
  })

/** The name in checkpoints: the host of the installation, or the product. C2SP permits no space and no plus. */
function keyName(publicUrl: string | undefined): string {
  return publicUrl === undefined ? 'millrace' : new URL(publicUrl).host
}
