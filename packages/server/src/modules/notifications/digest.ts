import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { handled, type HandledJob, job } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { MailError } from '#platform/mail/mail-error.ts'
import type { MailMessage, Mailer } from '#platform/mail/mailer.ts'
import { isOfServer } from '#platform/mail/watched-mailer.ts'
import { type Digest, readDigest, recordDigest, takeDueDigests } from './digest-store.ts'
import type { Recipient } from './model.ts'

export interface DigestDeps {
  readonly db: Kysely<Rows>
  readonly jobs: Pick<Jobs, 'send'>
  readonly mailer: Mailer
  /** URL of the installation, without a slash at its end. */
  readonly origin: string
}

const usersMax = 200
const entriesMax = 30

const digestJob = job({
  name: 'notifications.digest',
  payload: z.strictObject({ accountId: z.uuid(), userId: z.uuid() }),
  retry: { limit: 5, delaySeconds: 30, delaySecondsMax: 900 },
  singleton: ({ accountId, userId }) => `${accountId}/${userId}`,
})

/** Sends a job for each user whose mail is due. A user has one job at a time. */
export async function sendDueDigests({ db, jobs }: Pick<DigestDeps, 'db' | 'jobs'>): Promise<void> {
  for (const { accountId, userId } of await takeDueDigests(db, usersMax)) await jobs.send(db, digestJob, { accountId, userId })
}

/** Sends the mail of one user, at least once; every attempt for the same notifications has the same message id. */
export function digestHandler({ db, mailer, origin }: DigestDeps): HandledJob {
  return handled(digestJob, async (user, { signal }) => {
    const digest = await readDigest(db, user, entriesMax)
    if (digest === undefined) return
    try {
      await mailer.send(messageOf(user, digest, origin), signal)
    } catch (error) {
      // A mail that the server refuses for good would be refused again: the notifications stay in the list.
      if (!(error instanceof MailError) || error.temporary || isOfServer(error)) throw error
    }
    await recordDigest(db, user, digest)
  })
}

function messageOf({ accountId }: Recipient, { email, name, entries, more }: Digest, origin: string): MailMessage {
  const lines = entries.flatMap(({ title: headline, body, link, count }) => [
    `* ${headline}${count > 1 ? ` (${count} times)` : ''}`,
    ...(body === '' ? [] : [`  ${body.split('\n')[0]?.slice(0, 300) ?? ''}`]),
    ...(link === null ? [] : [`  ${origin}${link}`]),
    '',
  ])
  const [first] = entries
  const others = entries.length + more - 1
  const title = (first?.title ?? '').slice(0, 170)
  return {
    // A group may be mailed again after a day, which is another mail.
    key: `notifications-${first?.id}-${first?.mailed_at?.getTime() ?? 0}`,
    accountId,
    to: [{ address: email, name: name?.replaceAll(/\p{Cc}/gu, ' ') }],
    subject: others > 0 ? `${title} (and ${others} more)` : title,
    text: [...lines, ...(more > 0 ? [`${more} more are in the list.`, ''] : []), `Change what you receive: ${origin}/notifications`].join(
      '\n',
    ),
  }
}
