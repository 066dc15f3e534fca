import type { NotificationKind, WebhookFormat } from './model.ts'

/** A notification as a URL receives it. */
export interface OutgoingNotification {
  /** Public id. */
  readonly id: string
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  /** Absolute address of the page about the cause. */
  readonly url: string | null
  readonly count: number
  readonly createdAt: Date
  readonly lastAt: Date
}

const discordMax = 2_000

/** The body of a request, as JSON. `standard` is the payload of Standard Webhooks; the other formats are messages for a channel. */
export function webhookMessage(format: WebhookFormat, notification: OutgoingNotification): string {
  const { id, kind, title, body, url, count, createdAt, lastAt } = notification
  switch (format) {
    case 'standard':
      return JSON.stringify({
        type: kind,
        timestamp: lastAt.toISOString(),
        data: { id, title, body, url, count, createdAt: createdAt.toISOString(), lastAt: lastAt.toISOString() },
      })
    case 'slack':
      return JSON.stringify({ text: linesOf(notification, escapedForSlack) })
    case 'discord':
      // No text of a workflow mentions people.
      return JSON.stringify({
        content: [...linesOf(notification, (text) => text)].slice(0, discordMax).join(''),
        allowed_mentions: { parse: [] },
      })
  }
}

function linesOf({ title, body, url, count }: OutgoingNotification, escaped: (text: string) => string): string {
  const head = `${escaped(title)}${count > 1 ? ` (×${count})` : ''}`
  return [head, ...(body === '' ? [] : [escaped(body)]), ...(url === null ? [] : [url])].join('\n')
}

/** Source: Slack, "Formatting text for app surfaces", escaping of control characters. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
