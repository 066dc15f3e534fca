import { audit } from '@millrace/contract'
import { createExecutionReader } from '@millrace/engine/storage'
import { auditHandlers, createAuditReading, createEvidenceKeys, createLogVerifier, createSequencer } from '#modules/audit/index.ts'
import { versionQuery } from '#modules/workflows/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** The audit log with the process that appends to it. */
export function composeAudit({ database, enginePool, secretKey, config, logger, system }: FeatureParts) {
  const keys = createEvidenceKeys({
    db: database.system,
    box: createSecretBox(secretKey, 'evidence-keys', system.randomBytes),
    name: keyName(config.http.publicUrl),
    now: system.now,
  })
  const sequencer = createSequencer({
    db: database.system,
    keys,
    reader: createExecutionReader({ pool: enginePool, versionQuery }),
    now: system.now,
    onError: (error) => logger.warn({ err: error }, 'audit log not appended'),
  })
  const reading = createAuditReading({ database, keys, sequencer, verifier: createLogVerifier({ database, keys }) })
  const loop = sequencer.loop()
  const feature: Feature = {
    groups: { audit: served(audit, auditHandlers(reading)) },
    loops: [{ role: 'scheduler', start: () => loop.start(), stop: () => loop.stop() }],
  }
  return { feature, reading, keys }
}

/** The name in checkpoints: the host of the installation, or the product. C2SP permits no space and no plus. */
function keyName(publicUrl: string | undefined): string {
  return publicUrl === undefined ? 'millrace' : new URL(publicUrl).host
}
