import type { SecretBox } from '#platform/auth/secret-box.ts'
import { MailError } from '#platform/mail/mail-error.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { messageOf } from './mail-text.ts'
import { type DueMail, takeMails, writeFailed, writeSent } from './mail-store.ts'
import type { Executor } from './store.ts'

export interface SendDeps {
  readonly db: Executor
  readonly mailer: Mailer
  readonly box: SecretBox
  /** The address that people open. */
  readonly linkOf: (token: string) => string
  readonly now: () => number
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const atATime = 10
/** Longer than the mailer works on one mail. */
const leaseMs = 5 * 60_000
const firstPauseMs = 30_000
const pauseMsMax = 60 * 60_000
/** About a day and a half. */
const attemptsMax = 40

/** Sends what is due. Each mail at least once, and always as the same one. @returns whether there may be more. */
export async function sendMails(deps: SendDeps, signal: AbortSignal): Promise<boolean> {
  const now = deps.now()
  const mails = await takeMails(deps.db, { now: new Date(now), leaseUntil: new Date(now + leaseMs), limit: atATime })
  await Promise.all(mails.map((mail) => send(deps, mail, signal)))
  return mails.length > 0
}

async function send({ db, mailer, box, linkOf, now, warn }: SendDeps, mail: DueMail, signal: AbortSignal): Promise<void> {
  try {
    const token = mail.kind === 'link' ? tokenOf(box, mail) : undefined
    await mailer.send(messageOf(mail, token === undefined ? undefined : linkOf(token)), signal)
    await writeSent(db, mail.id, new Date(now()))
  } catch (error) {
    // Whoever stops in the middle leaves the mail to the next one.
    if (signal.aborted) return writeFailed(db, mail.id, { failure: undefined, nextAttemptAt: new Date(now()) })
    const lasting = error instanceof MailError ? !error.temporary : true
    const over = lasting || mail.attempts >= attemptsMax
    if (!(error instanceof MailError)) warn('a mail for an approval could not be made', { mailId: mail.id, error })
    const waitMs = Math.max(pauseMs(mail.attempts), error instanceof MailError ? (error.retryAfterMs ?? 0) : 0)
    const failure = error instanceof MailError ? error.message : 'The mail could not be made.'
    await writeFailed(db, mail.id, { failure, nextAttemptAt: over ? undefined : new Date(now() + waitMs) })
  }
}

/** The token in the link, which the row keeps sealed until the mail is sent. */
function tokenOf(box: SecretBox, { id, sealedToken }: DueMail): string {
  const token = sealedToken === undefined ? undefined : box.open(sealedToken, id)
  if (token === undefined) throw new Error('the token of a link was sealed under another key')
  return token.toString()
}

function pauseMs(attempts: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1))
}
