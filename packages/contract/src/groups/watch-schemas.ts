import * as z from 'zod'
import { Duration } from '#src/time.ts'
import { ConnectionName } from './connection-schemas.ts'

const identifier = (what: string) =>
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_$]{0,62}$/, { error: `Must be the name of a ${what}: letters, digits, _ and $.` })

const timing = {
  every: Duration.default('PT5M').describe('How often to look: from PT10S to P7D.'),
  first: z.enum(['new', 'all']).default('new').describe('What the first look takes: only what comes later, or everything that is there.'),
} as const

/** What a trigger watches. */
export const TriggerWatch = z
  .discriminatedUnion('source', [
    z.strictObject({
      source: z.literal('feed'),
      url: z.url({ protocol: /^https?$/, error: 'Must be an address with http or https.' }).max(2_000),
      connection: ConnectionName.optional().describe('For a feed that asks for credentials.'),
      ...timing,
    }),
    z.strictObject({
      source: z.literal('mailbox'),
      connection: ConnectionName.describe('Of the kind `imap`.'),
      mailbox: z.string().min(1).max(200).default('INBOX'),
      ...timing,
    }),
    z.strictObject({
      source: z.literal('rows'),
      connection: ConnectionName.describe('Of the kind `database`.'),
      table: z
        .string()
        .regex(/^(?:[A-Za-z_][A-Za-z0-9_$]{0,62}\.)?[A-Za-z_][A-Za-z0-9_$]{0,62}$/, { error: 'Must be a table, or a schema and a table.' })
        .meta({ description: 'Name of a table or view, with its schema if needed.', examples: ['shop.orders'] }),
      column: identifier('column').describe('Column that grows with every new row, such as a serial id or a time of insertion.'),
      key: identifier('column')
        .optional()
        .describe('Column that identifies a row; `column` unless given. Needed if rows can share a value of `column`.'),
      ...timing,
    }),
    z.strictObject({
      source: z.literal('objects'),
      connection: ConnectionName.describe('Of the kind `s3`.'),
      prefix: z.string().max(500).default(''),
      ...timing,
    }),
  ])
  .meta({ id: 'TriggerWatch', examples: [{ source: 'feed', url: 'https://example.com/news.xml', every: 'PT15M' }] })

/** What a trigger watches, and how far it is. */
export const WatchView = z.object({
  settings: TriggerWatch,
  lookedAt: z.iso.datetime().nullable().describe('When it last looked with success.'),
  nextAt: z.iso.datetime().nullable().describe('When it looks next; null while the trigger is disabled.'),
  failures: z.int().describe('Looks that failed since the last success.'),
  problem: z.string().nullable().describe('Why the last look failed.'),
})
