import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { DeliveryUrl } from './event-subscriptions.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'What it is for.', examples: ['Security monitoring'] })

const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|[0-9A-Fa-f:.]+)$/

const s3Shape = {
  kind: z.literal('s3'),
  url: DeliveryUrl.describe('The address of the service, without the bucket.'),
  region: z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'Must be a region, such as eu-central-1.' }),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'Must be the name of a bucket.' }),
  prefix: z
    .string()
    .max(200)
    .regex(/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/, { error: 'Must be folders, each followed by /, such as audit/.' })
    .default('')
    .describe('Before the names of objects.'),
  accessKeyId: z.string().min(1).max(128),
} as const

const Target = z
  .discriminatedUnion('kind', [
    z.strictObject(s3Shape),
    z.strictObject({ kind: z.literal('http'), url: DeliveryUrl }),
    z.strictObject({
      kind: z.literal('syslog'),
      host: z.string().max(253).regex(hostName, { error: 'Must be a host name or an IP address.' }),
      port: z.int().min(1).max(65_535).default(6514),
      tls: z.boolean().default(true).describe('False: TCP without encryption.'),
      ca: z
        .string()
        .max(20_000)
        .regex(/^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/, { error: 'Must be certificates in PEM form.' })
        .optional()
        .describe('Certificates (PEM) that are trusted in place of the public authorities.'),
    }),
  ])
  .meta({
    id: 'AuditTarget',
    description: 'Where the events go: `http`, `syslog` or `s3`.',
    examples: [{ kind: 'http', url: 'https://siem.example.com/millrace' }],
  })

const Destination = z
  .object({
    id: typeId('adst'),
    name: z.string(),
    target: Target,
    state: z.enum(['active', 'paused']).describe('`paused`: nothing is sent until it is resumed. The position stays.'),
    pausedReason: z.string().nullable(),
    failingSince: z.iso.datetime().nullable().describe('The time since which every attempt has failed; null if the last one succeeded.'),
    lastError: z.string().nullable().describe('Why the last attempt failed; null if it succeeded.'),
    nextAttemptAt: z.iso.datetime().nullable().describe('After a failure. Null when it is paused or the last attempt succeeded.'),
    position: z
      .object({ date: z.string(), index: z.int() })
      .describe('The place in the log of the next event to be sent. Everything before it was delivered.'),
    deliveredAt: z.iso.datetime().nullable().describe('The time of the last delivery.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AuditDestination' })

const base = { stability: 'beta', rateLimit: 'default', role: 'admin', errors: [] } as const
const reads = { ...base, auth: { scope: 'audit:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'account:security', stepUp: 'PT10M' } } as const
const path = '/api/v1/audit/destinations'
const byId = z.object({ id: typeId('adst') })

const destinations = operation({
  ...reads,
  id: 'audit.destinations',
  method: 'GET',
  path,
  summary: 'List the destinations of the audit log',
  query: z.strictObject(listQuery),
  reply: listPage(Destination),
})

const createDestination = operation({
  ...writes,
  id: 'audit.createDestination',
  method: 'POST',
  path,
  summary: 'Stream the audit log to another system',
  description:
    'Every event of the audit log is sent in the order of the log, at least once. `http`: a POST of JSON lines, signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`); any 2xx is a success. `syslog`: messages of RFC 5424 over TLS or TCP, with octet counting. `s3`: objects of JSON lines by day and first number; each is read again and compared. A batch that fails is sent again with growing pauses of up to 15 minutes; after 3 days of failures the destination is paused and administrators are notified. The secret is in this answer and in no later one. It needs a recent proof of identity (`/api/v1/auth/step-up`).',
  audit: 'audit_destination.created',
  idempotency: 'keyed',
  replyHeaders: ['Location'],
  body: z.strictObject({
    name: Name,
    target: Target,
    secretAccessKey: z.string().min(1).max(256).optional().describe('For `s3`, and required there. It is kept sealed.'),
    from: z.iso
      .date({ error: 'Must be a date, such as 2026-01-31.' })
      .optional()
      .describe('The first day of the log to send; events from now on unless given.'),
  }),
  reply: Destination.extend({
    secret: z
      .string()
      .nullable()
      .describe('The secret that signs deliveries by HTTP (Standard Webhooks): `whsec_` and 32 bytes in base64. Null for syslog and S3.'),
  }).meta({ id: 'AuditDestinationWithSecret' }),
  errors: ['conflict', 'request_invalid'],
})

const testDestination = operation({
  ...base,
  auth: { scope: 'account:security' },
  id: 'audit.testDestination',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Send a test message to a destination',
  description: 'Sends one message at once, with the event `audit_destination.test`, even if the destination is paused. The position stays.',
  audit: 'audit_destination.tested',
  idempotency: 'keyed',
  transaction: 'own',
  params: byId,
  reply: z.object({ delivered: z.boolean(), error: z.string().nullable().describe('Why it was not delivered.') }),
  errors: ['overloaded'],
})

const resumeDestination = operation({
  ...base,
  auth: { scope: 'account:security' },
  id: 'audit.resumeDestination',
  method: 'POST',
  path: `${path}/{id}/resume`,
  summary: 'Resume a destination',
  description: 'Continues at the position of a paused destination. If it waits after a failure, the next attempt starts now.',
  audit: 'audit_destination.resumed',
  idempotency: 'keyed',
  params: byId,
  reply: Destination,
})

const deleteDestination = operation({
  ...writes,
  id: 'audit.deleteDestination',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a destination',
  description: 'Nothing more is sent. It needs a recent proof of identity (`/api/v1/auth/step-up`).',
  audit: 'audit_destination.deleted',
  idempotency: 'natural',
  params: byId,
  reply: z.object({ id: typeId('adst'), deleted: z.literal(true) }),
})

/** Destinations to which the audit log is streamed. */
export const auditDestinations = { destinations, createDestination, testDestination, resumeDestination, deleteDestination } as const
