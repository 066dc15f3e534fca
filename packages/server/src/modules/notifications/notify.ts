import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { channelsDefault, type NewNotification } from './model.ts'

const titleMax = 300
const bodyMax = 4_000
/** Users who receive one notification; a role may include all users of an account. */
const recipientsMax = 500
/** A group that was mailed, or sent to a URL, is sent again only after this time; until then, an occurrence is no first one. */
const quietHours = 24

/**
 * Notifies users, in the transaction of the cause: the notification exists if, and only if, the cause does. Preferences of each user decide
 * where it appears. Repetitions of one cause (`groupKey`) raise the count of the unread notification and do not make another one. The first
 * occurrence is mailed at once; one that follows another within a day, which the user has read, waits for the next digest. The URL of a user gets a
 * group once a day, whether the user reads it or not.
 */
export async function notify(tx: Kysely<Rows>, notification: NewNotification): Promise<void> {
  const { accountId, userIds = [], roles = [], exceptUserId, kind, title, body = '', link, groupKey, count = 1 } = notification
  const defaults = channelsDefault[kind]
  // The list of users is ordered, so that two transactions that notify the same users lock their rows in the same order.
  await sql`
    insert into notifications as n (id, account_id, user_id, kind, title, body, link, group_key, count, in_app, mail_due_since,
      mail_at_once, webhook_due_since, created_at, last_at)
    select millrace_uuid_v7(), ${accountId}, r.id, ${kind}, ${cut(oneLine(title), titleMax)}, ${cut(body, bodyMax)}, ${link ?? null}, ${groupKey ?? null},
      ${count}, r.in_app, case when r.mail then now() end, r.mail and r.is_first, case when r.webhook and r.is_unsent then now() end, now(), now()
    from (
      select u.id, coalesce(p.in_app, ${defaults.inApp}) as in_app, coalesce(p.mail, ${defaults.mail}) as mail,
        w.user_id is not null and coalesce(p.webhook, ${defaults.webhook}) as webhook,
        not exists (
          select from notifications e where e.account_id = u.account_id and e.user_id = u.id and e.kind = ${kind} and e.group_key = ${groupKey ?? null}
            and e.read_at is not null and e.last_at >= now() - make_interval(hours => ${quietHours})
        ) as is_first,
        not exists (
          select from notifications e where e.account_id = u.account_id and e.user_id = u.id and e.kind = ${kind} and e.group_key = ${groupKey ?? null}
            and e.read_at is not null and (e.webhook_due_since is not null or e.webhook_sent_at >= now() - make_interval(hours => ${quietHours}))
        ) as is_unsent
      from users u
      left join notification_preferences p on p.account_id = u.account_id and p.user_id = u.id and p.kind = ${kind}
      left join notification_webhooks w on w.account_id = u.account_id and w.user_id = u.id and w.disabled_at is null
      where u.account_id = ${accountId} and (u.id = any(${userIds}::uuid[]) or u.role = any(${roles}::text[]))
        and u.id is distinct from ${exceptUserId ?? null}::uuid
      order by u.id limit ${recipientsMax}
    ) r
    where r.in_app or r.mail or r.webhook
    order by r.id
    on conflict (account_id, user_id, kind, group_key) where read_at is null and group_key is not null
    do update set count = n.count + excluded.count, title = excluded.title, body = excluded.body, link = excluded.link, last_at = excluded.last_at,
      in_app = excluded.in_app,
      mail_due_since = case
        when n.mail_due_since is not null then n.mail_due_since
        when n.mailed_at is null or n.mailed_at < now() - make_interval(hours => ${quietHours}) then excluded.mail_due_since
      end,
      webhook_due_since = case
        when n.webhook_due_since is not null then n.webhook_due_since
        when n.webhook_sent_at is null or n.webhook_sent_at < now() - make_interval(hours => ${quietHours}) then excluded.webhook_due_since
      end`.execute(tx)
}

/** A title names a cause, and what workflows and services call their errors has line breaks at times, which no mail takes as its subject. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}

/** Cuts between characters, never inside one. */
function cut(text: string, max: number): string {
  const clean = text.replaceAll('\u0000', '')
  const characters = clean.length <= max ? undefined : [...clean]
  return characters === undefined || characters.length <= max ? clean : `${characters.slice(0, max - 1).join('')}…`
}
