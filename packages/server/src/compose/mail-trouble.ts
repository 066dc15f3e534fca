import { createMailTrouble, type MailTrouble } from '#modules/health/index.ts'
import { findOperators } from '#modules/identity/index.ts'
import { notify } from '#modules/notifications/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

interface Parts {
  readonly database: Pick<Database, 'system'>
  readonly logger: Pick<Logger, 'warn'>
  readonly system: Pick<System, 'now'>
}

/** Follows the mails of the installation; its operators hear when they do not go out. */
export function openMailTrouble({ database, logger, system }: Parts) {
  return createMailTrouble({
    db: database.system,
    now: system.now,
    async notify(tx, trouble) {
      for (const { accountId, userId } of await findOperators(tx)) await notify(tx, { accountId, userIds: [userId], ...noticeOf(trouble) })
    },
    onError: (error) => logger.warn({ err: error }, 'the state of mails was not recorded'),
  })
}

function noticeOf({ since, failures, reason }: MailTrouble) {
  return {
    kind: 'system.notice',
    title: 'Mails do not go out',
    body: `${failures} attempts have failed since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC. The last one: ${reason} Mails of sign-ins and notifications are tried again for half a day. The page System sends a test mail and shows what the mail server answers.`,
    link: '/operate/system',
    groupKey: 'mail',
  } as const
}
