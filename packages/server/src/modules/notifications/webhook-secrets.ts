import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { Recipient } from './model.ts'

const stored = z.strictObject({ url: z.string(), secret: z.base64() })

/** Where notifications of a user are sent, and what signs them. */
export interface WebhookTarget {
  readonly url: string
  readonly secret: Buffer
}

/** Seals and opens the URL and the secret of a user. */
export function createWebhookSecrets(sealing: Pick<Sealing, 'seal' | 'open'>) {
  const placeOf = ({ userId }: Recipient) => ({ table: 'notification_webhooks', column: 'sealed', row: userId })
  return {
    seal(executor: Kysely<Rows>, user: Recipient, { url, secret }: WebhookTarget): Promise<Buffer> {
      const plain = JSON.stringify({ url, secret: secret.toString('base64') })
      return sealing.seal(executor, user.accountId, placeOf(user), Buffer.from(plain))
    },
    /** Undefined if it was sealed under another key. */
    async open(executor: Kysely<Rows>, user: Recipient, sealed: Uint8Array): Promise<WebhookTarget | undefined> {
      const plain = await sealing.open(executor, user.accountId, placeOf(user), sealed)
      if (plain === undefined) return undefined
      const { url, secret } = stored.parse(JSON.parse(plain.toString('utf8')))
      return { url, secret: Buffer.from(secret, 'base64') }
    },
  }
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>
