import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { MailWatch } from '#platform/mail/watched-mailer.ts'
import { deleteTrouble, findTrouble, insertFailure, type MailTrouble, recordNotice } from './mail-trouble-store.ts'

export interface MailTroubleDeps {
  readonly db: Kysely<Rows>
  /** Notifies the operators of the installation, in the transaction of the failure. */
  readonly notify: (tx: Kysely<Rows>, trouble: MailTrouble) => Promise<void>
  readonly now: () => number
  /** Called when the state of mails could not be written. */
  readonly onError: (error: unknown) => void
}

const failuresMin = 3
/** A server that restarts is back by then. */
const graceMs = 5 * 60_000
const noticeMs = 24 * 60 * 60_000

/** Follows whether mails go out, in all processes, and notifies the operators of an installation in which they repeatedly do not. */
export function createMailTrouble({ db, notify, now, onError }: MailTroubleDeps) {
  const watch: MailWatch = {
    sent: () => deleteTrouble(db).catch(onError),
    failed: ({ message, temporary }) =>
      db
        .transaction()
        .execute(async (tx) => {
          const at = now()
          const trouble = await insertFailure(tx, message, new Date(at))
          if (!isNotable(trouble, temporary, at)) return
          await recordNotice(tx, new Date(at))
          await notify(tx, trouble)
        })
        .catch(onError),
  }
  return {
    ...watch,
    /** Undefined while fewer than three attempts have failed in a row. */
    async read(): Promise<MailTrouble | undefined> {
      const trouble = await findTrouble(db)
      return trouble === undefined || trouble.failures < failuresMin ? undefined : trouble
    },
  }
}

function isNotable(
  { failures, since, noticedAt }: MailTrouble & { readonly noticedAt: Date | undefined },
  temporary: boolean,
  at: number,
): boolean {
  if (failures < failuresMin || (temporary && at - since.getTime() < graceMs)) return false
  return noticedAt === undefined || at - noticedAt.getTime() >= noticeMs
}
