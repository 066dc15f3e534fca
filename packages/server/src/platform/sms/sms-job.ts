import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import { handled, type HandledJob, job } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { DevOutbox } from '#platform/mail/outbox/outbox-store.ts'
import { SmsRefusal, type SmsSender } from './sms-sender.ts'

/** A text message of the product itself. */
export interface OutgoingText {
  /** E.164; `undefined` to do the same work and send nothing, so that the time of a request does not reveal whether a number is known. */
  readonly to: string | undefined
  readonly text: string
  /** After this time it is useless and not sent any more. */
  readonly expiresAt: Date
}

/** Sends text messages, as background jobs. */
export interface Sms {
  /** False when the installation neither has a provider nor keeps messages for development. */
  readonly isAvailable: boolean
  /** Call it before a transaction in which `send` is called. */
  prepare(): Promise<void>
  /** Sends a message after the commit of the transaction of the caller, and not after a rollback. */
  send(executor: Kysely<Rows>, message: OutgoingText): Promise<void>
}

export interface SmsDeps {
  readonly jobs: Pick<Jobs, 'ready' | 'send'>
  /** Seals the content in the queue: it contains a code that signs in. */
  readonly box: SecretBox
  readonly sender: SmsSender | undefined
  /** Where messages are kept when there is no provider; `undefined` outside of development. */
  readonly outbox: DevOutbox | undefined
  readonly newId: () => string
  readonly now: () => Date
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const smsJob = job({
  name: 'sms.send',
  payload: z.strictObject({ key: z.string(), sealed: z.string(), expiresAt: z.iso.datetime() }),
  // A code is useful for minutes only.
  retry: { limit: 6, delaySeconds: 2, delaySecondsMax: 60 },
})

export function createSms({ jobs, box, sender, outbox, newId }: Omit<SmsDeps, 'now' | 'warn'>): Sms {
  return {
    isAvailable: sender !== undefined || outbox !== undefined,
    prepare: () => jobs.ready(),
    async send(executor, { to, text, expiresAt }) {
      const key = `sms-${newId()}`
      const sealed = box.seal(Buffer.from(JSON.stringify({ to, text })), key).toString('base64')
      await jobs.send(executor, smsJob, { key, sealed, expiresAt: expiresAt.toISOString() })
    },
  }
}

/** The handler of the job. A crash between the provider's response and the end of the job sends the message twice. */
export function smsJobHandler({ box, sender, outbox, now, warn }: Omit<SmsDeps, 'jobs' | 'newId'>): HandledJob {
  return handled(smsJob, async ({ key, sealed, expiresAt }, { signal }) => {
    const opened = box.open(Buffer.from(sealed, 'base64'), key)
    if (opened === undefined) return warn('text message dropped: it was sealed under another secret key', { message: key })
    const { to, text } = EnvelopeSchema.parse(JSON.parse(opened.toString()))
    if (to === undefined) return
    if (new Date(expiresAt) <= now()) return warn('text message dropped: its code has expired', { message: key })
    if (sender === undefined) return await outbox?.add({ id: key, channel: 'sms', recipient: to, subject: '', text, html: undefined })
    await sender.send({ key, to, text }, signal).catch((error: unknown) => {
      if (!(error instanceof SmsRefusal)) throw error
      warn('text message refused', { message: key, reason: error.message })
    })
  })
}

const EnvelopeSchema = z.object({ to: z.string().optional(), text: z.string() })
