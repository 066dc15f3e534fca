import { amountText, createLimitNotices, type SpendingNotice } from '#modules/models/index.ts'
import { notify } from '#modules/notifications/index.ts'
import { insertNotice } from '#modules/usage/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

interface LimitNoticesDeps extends Pick<System, 'now'> {
  readonly database: Pick<Database, 'account'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Notifies administrators of limits of models that their account has set. */
export function modelLimitNotices({ database, now, logger }: LimitNoticesDeps) {
  return createLimitNotices({
    now,
    recordNotice: (notice, isSent) =>
      database.account(notice.accountId, async (tx) => {
        const { accountId, key: meter, periodStart, percent } = notice
        const isNew = await insertNotice(tx, accountId, { meter, periodStart, percent, at: new Date(now()) })
        if (isNew && isSent) await notifyOf(tx, notice)
        return isNew
      }),
    onError: (error) => logger.warn({ err: error }, 'notice of a limit of models failed'),
  })
}

function notifyOf(tx: Tx, { accountId, period, unit, limit, used, currency, percent, resetsAt, key }: SpendingNotice): Promise<void> {
  const [spent, most] = [used, limit].map((amount) => amountText(unit, amount, currency))
  const consequence =
    percent === 100 ? 'Further calls are refused until then, or until the limit is raised.' : 'Calls beyond it are refused.'
  return notify(tx, {
    accountId,
    roles: ['owner', 'admin'],
    kind: 'quota.near',
    title:
      percent === 100
        ? `The limit for models is used up for this ${period}`
        : `${percent} % of the limit for models are used this ${period}`,
    body: `Calls of models have ${unit === 'tokens' ? 'used' : 'cost'} ${spent} of ${most}. The count begins again at ${resetsAt.toISOString()}. ${consequence}`,
    link: '/settings/model-use',
    groupKey: `quota.near/${key}/${percent}/${resetsAt.toISOString()}`,
  })
}
