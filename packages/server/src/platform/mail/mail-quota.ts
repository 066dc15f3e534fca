import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { MailError } from './mail-error.ts'
import type { Mailer, MailMessage } from './mailer.ts'

/** So many recipients in so many seconds. */
export interface MailLimit {
  readonly limit: number
  readonly windowSeconds: number
}

export interface MailQuotaDeps {
  readonly db: Kysely<Rows>
  readonly limit: MailLimit
  /** Called when counting failed; the mail is sent nevertheless. */
  readonly onError: (error: unknown) => void
}

const policy = 'mail'

/**
 * A mailer by which no account sends to more recipients than it may, whatever its workflows do: each recipient of a mail counts, and so does
 * each attempt that reached the mailer within the limit. A window begins with its first mail. Beyond it mails are refused with a MailError
 * `quota`, and are not counted.
 */
export function limitMailer(mailer: Mailer, deps: MailQuotaDeps): Mailer {
  return {
    async send(message, signal) {
      signal.throwIfAborted()
      await check(message, deps)
      return mailer.send(message, signal)
    },
    close: () => mailer.close(),
  }
}

async function check(message: MailMessage, { db, limit: { limit, windowSeconds }, onError }: MailQuotaDeps): Promise<void> {
  const count = [message.to, message.cc, message.bcc].reduce((sum, addresses) => sum + (addresses?.length ?? 0), 0)
  const allowed = `An account may send mails to ${limit} recipients in ${windowSeconds} s (MILLRACE_MAILS_PER_ACCOUNT)`
  if (count > limit) throw new MailError('invalid', `${allowed}, and this one has ${count}. Send it to fewer at a time.`)
  const waitSeconds = await take(db, message.accountId, count, { limit, windowSeconds }).catch((error: unknown) => {
    // Without the database nothing can loop: no workflow goes past what it has just sent.
    onError(error)
    return undefined
  })
  if (waitSeconds === undefined) return
  throw new MailError('quota', `${allowed}, and has. Try again in ${waitSeconds} s.`, { retryAfterMs: waitSeconds * 1000 })
}

/** Counts recipients, all of them or none. @returns the seconds to wait where they are too many now. */
async function take(db: Kysely<Rows>, accountId: string, count: number, { limit, windowSeconds }: MailLimit): Promise<number | undefined> {
  const { rows } = await sql`
    insert into rate_limit_counters as counter (policy, subject, hits, ends_at)
    values (${policy}, ${accountId}, ${count}, clock_timestamp() + make_interval(secs => ${windowSeconds}))
    on conflict (policy, subject) do update set
      hits = case when counter.ends_at <= clock_timestamp() then excluded.hits else counter.hits + excluded.hits end,
      ends_at = case when counter.ends_at <= clock_timestamp() then excluded.ends_at else counter.ends_at end
    where counter.ends_at <= clock_timestamp() or counter.hits + excluded.hits <= ${limit}
    returning true`.execute(db)
  if (rows.length > 0) return undefined
  const window = await sql<{ seconds: number }>`
    select extract(epoch from ends_at - clock_timestamp())::float8 as seconds from rate_limit_counters
    where policy = ${policy} and subject = ${accountId}`.execute(db)
  return Math.max(1, Math.ceil(window.rows[0]?.seconds ?? 1))
}
