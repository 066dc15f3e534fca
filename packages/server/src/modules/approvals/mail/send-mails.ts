import type { SecretBox } from '#platform/auth/secret-box.ts'
import { MailError } from '#platform/mail/mail-error.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { messageOf } from './mail-text.ts'
import { type DueMail, claimMails, recordFailure, recordSent } from './mail-store.ts'
import type { Executor } from '#modules/approvals/approval-store.ts'

export interface SendDeps {
  readonly db: Executor
  readonly mailer: Mailer
  readonly box: SecretBox
  /** The URL of a link. */
  readonly linkOf: (token: string) => string
  /** The URL of the page of a run. */
  readonly runOf: (executionId: string) => string
  readonly now: () => number
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const batchSize = 10
/** Longer than the mailer's timeout for one mail. */
const leaseMs = 5 * 60_000
const firstPauseMs = 30_000
const pauseMsMax = 60 * 60_000
/** In about a day and a half. */
const attemptsMax = 40

/** Sends due mails: each at least once, and every attempt with the same message id. @returns whether there may be more. */
export async function sendMails(deps: SendDeps, signal: AbortSignal): Promise<boolean> {
  const now = deps.now()
  const mails = await claimMails(deps.db, { now: new Date(now), leaseUntil: new Date(now + leaseMs), limit: batchSize })
  await Promise.all(mails.map((mail) => send(deps, mail, signal)))
  return mails.length > 0
}

async function send({ db, mailer, box, linkOf, runOf, now, warn }: SendDeps, mail: DueMail, signal: AbortSignal): Promise<void> {
  try {
    const token = mail.kind === 'link' ? tokenOf(box, mail) : undefined
    const links = { decide: token === undefined ? undefined : linkOf(token), run: runOf(mail.executionId) }
    await mailer.send(messageOf(mail, links), signal)
    await recordSent(db, mail.id, new Date(now()))
  } catch (error) {
    // A process that shuts down leaves the mail to another one.
    if (signal.aborted) return recordFailure(db, mail, { failure: undefined, nextAttemptAt: new Date(now()) })
    const isPermanent = error instanceof MailError ? !error.temporary : true
    const isLastAttempt = isPermanent || mail.attempts >= attemptsMax
    if (!(error instanceof MailError)) warn('approval mail could not be composed', { mailId: mail.id, error })
    const waitMs = Math.max(pauseMs(mail.attempts), error instanceof MailError ? (error.retryAfterMs ?? 0) : 0)
    const failure = error instanceof MailError ? error.message : 'The mail could not be composed.'
    await recordFailure(db, mail, { failure, nextAttemptAt: isLastAttempt ? undefined : new Date(now() + waitMs) })
  }
}

/** Opens the token of the link, which is stored sealed until the mail is sent. */
function tokenOf(box: SecretBox, { id, sealedToken }: DueMail): string {
  const token = sealedToken === undefined ? undefined : box.open(sealedToken, id)
  if (token === undefined) throw new Error('the link token cannot be opened: it was sealed with another key')
  return token.toString()
}

function pauseMs(attempts: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1))
}
