import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** A mail or text message that was not sent but kept, for development. */
export interface OutboxMessage {
  readonly id: string
  readonly channel: 'mail' | 'sms'
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
  readonly createdAt: Date
}

/** Keeps the messages that an installation without a mail server would send. */
export interface DevOutbox {
  /** Adds a message; a second one with the same id is ignored. */
  add(message: Omit<OutboxMessage, 'createdAt'>): Promise<void>
  /** The latest messages, newest first. */
  list(): Promise<readonly OutboxMessage[]>
  /** Deletes messages that are older than a day. */
  deleteExpired(): Promise<void>
}

const shownMax = 100
const keepMs = 24 * 60 * 60 * 1000

interface OutboxRow {
  readonly id: string
  readonly channel: 'mail' | 'sms'
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly created_at: Date
}

export function createDevOutbox(db: Kysely<Rows>, now: () => number): DevOutbox {
  const oldest = () => new Date(now() - keepMs)
  return {
    async add({ id, channel, recipient, subject, text, html }) {
      await sql`
        insert into dev_outbox (id, channel, recipient, subject, text, html, created_at)
        values (${id}, ${channel}, ${recipient}, ${subject}, ${text}, ${html ?? null}, ${new Date(now())})
        on conflict (id) do nothing`.execute(db)
    },
    async list() {
      const { rows } = await sql<OutboxRow>`
        select id, channel, recipient, subject, text, html, created_at from dev_outbox
        where created_at > ${oldest()} order by created_at desc, id desc limit ${shownMax}`.execute(db)
      return rows.map(({ html, created_at: createdAt, ...row }) => ({ ...row, html: html ?? undefined, createdAt }))
    },
    async deleteExpired() {
      await sql`delete from dev_outbox where created_at <= ${oldest()}`.execute(db)
    },
  }
}
