import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import { handled, type HandledJob, job } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { MailError } from './mail-error.ts'
import { isOfServer } from './watched-mailer.ts'
import { parseMailbox } from './mailbox.ts'
import type { Mailer } from './mailer.ts'
import type { DevOutbox } from './outbox/outbox-store.ts'
import type { MailLocale, MailTemplate } from './templates/compose-mail.ts'

/** A mail to one person, made from a template. */
export interface OutgoingMail<D> {
  /** The account of the recipient, whose mails are limited; `undefined` for a mail that concerns no account. */
  readonly accountId: string | undefined
  /** An address; `undefined` to do the same work and send nothing, so that the time of a request does not reveal whether an address is known. */
  readonly to: string | undefined
  readonly template: MailTemplate<D>
  readonly locale: MailLocale
  readonly data: D
  /** Whether it is written by users, for people of their choice: it counts, and is examined, like the mails of workflows. */
  readonly isOfUsers?: boolean
}

/** Sends mails of the product itself, as background jobs. */
export interface Mail {
  /** False when the installation neither has a mail server nor keeps mails for development. */
  readonly isAvailable: boolean
  /** Whether mails leave the installation: it has a mail server, and does not only keep them for development. */
  readonly isDelivered: boolean
  /** Call it before a transaction in which `send` is called. */
  prepare(): Promise<void>
  /** Sends a mail after the commit of the transaction of the caller, and not after a rollback. */
  send<D>(executor: Kysely<Rows>, mail: OutgoingMail<D>): Promise<void>
}

export interface MailDeps {
  readonly jobs: Pick<Jobs, 'ready' | 'send'>
  /** Seals the content in the queue: it may contain a link that signs in. */
  readonly box: SecretBox
  readonly mailer: Mailer | undefined
  /** Where mails are kept when there is no mailer; `undefined` outside of development. */
  readonly outbox: DevOutbox | undefined
  readonly newId: () => string
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const mailJob = job({
  name: 'mail.send',
  payload: z.strictObject({ key: z.string(), sealed: z.string() }),
  // For about half a day, so that a mail survives the maintenance of a mail server.
  retry: { limit: 20, delaySeconds: 10, delaySecondsMax: 3600 },
})

export function createMail({ jobs, box, mailer, outbox, newId }: Omit<MailDeps, 'warn'>): Mail {
  return {
    isAvailable: mailer !== undefined || outbox !== undefined,
    isDelivered: mailer !== undefined,
    prepare: () => jobs.ready(),
    async send(executor, { accountId, to, template, locale, data, isOfUsers }) {
      const key = `mail-${newId()}`
      const envelope = { ...template(locale, data), accountId, to, isOfUsers }
      const sealed = box.seal(Buffer.from(JSON.stringify(envelope)), key).toString('base64')
      await jobs.send(executor, mailJob, { key, sealed })
    },
  }
}

/** The handler of the job. The key of a mail becomes its Message-ID, by which a mail program recognises a second attempt. */
export function mailJobHandler({ box, mailer, outbox, warn }: Pick<MailDeps, 'box' | 'mailer' | 'outbox' | 'warn'>): HandledJob {
  return handled(mailJob, async ({ key, sealed }, { signal }) => {
    const envelope = readEnvelope(box, key, sealed)
    if (envelope === undefined) return warn('mail dropped: it was sealed under another secret key', { mail: key })
    const { to, subject, text, html, isOfUsers } = envelope
    if (to === undefined) return
    const mailbox = parseMailbox(to)
    if (mailbox === undefined) return warn('mail dropped: the address of its recipient is not valid', { mail: key })
    if (mailer === undefined) return await outbox?.add({ id: key, channel: 'mail', recipient: to, subject, text, html })
    // Counted apart from the mails of workflows, which could otherwise use up the quota and keep a user from signing in.
    const sender = envelope.accountId ?? 'installation'
    const accountId = isOfUsers === true ? sender : `own:${sender}`
    await mailer.send({ key, accountId, to: [mailbox], subject, text, html }, signal).catch((error: unknown) => {
      // Whatever is wrong with the server is mended for all mails, which are then sent.
      if (!(error instanceof MailError) || error.temporary || isOfServer(error)) throw error
      warn('mail refused', { mail: key, failure: error.failure, reason: error.message })
    })
  })
}

const EnvelopeSchema = z.object({
  accountId: z.string().optional(),
  isOfUsers: z.boolean().optional(),
  to: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})

function readEnvelope(box: SecretBox, key: string, sealed: string) {
  const opened = box.open(Buffer.from(sealed, 'base64'), key)
  return opened === undefined ? undefined : EnvelopeSchema.parse(JSON.parse(opened.toString()))
}
