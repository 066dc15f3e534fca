import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createHttpSms } from '#platform/sms/sms-sender.ts'
import { createSms, type Sms, smsJobHandler } from '#platform/sms/sms-job.ts'
import type { FeatureParts } from './feature.ts'

/** Text messages with codes: by the provider of the installation, or into the outbox of development. */
export function composeSms({ config, http, jobs, logger, outbox, secretKey, system }: FeatureParts): {
  readonly sms: Sms
  readonly jobs: readonly [ReturnType<typeof smsJobHandler>]
} {
  const { provider } = config.sms
  const sender = provider === undefined ? undefined : createHttpSms({ ...provider, token: provider.token?.reveal() }, http)
  const box = createSecretBox(secretKey, 'text-messages', system.randomBytes)
  const deps = { jobs, box, sender, outbox, newId: system.newId }
  const now = () => new Date(system.now())
  return { sms: createSms(deps), jobs: [smsJobHandler({ ...deps, now, warn: (message, details) => logger.warn(details, message) })] }
}
