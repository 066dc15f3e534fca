import * as z from 'zod'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery, searchText } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { findingKinds } from '#src/transparency/check-day.ts'
import { typeId } from '#src/ids.ts'
import { auditDestinations } from './audit-destinations.ts'

const DateText = z.iso.date({ error: 'Must be a date, such as 2026-01-31.' }).meta({ examples: ['2026-01-31'] })

const AuditEvent = z
  .object({
    id: typeId('aud'),
    at: z.string().describe('RFC 3339 in UTC, with microseconds.'),
    actor: z.string().describe('Who did it, as `kind:id`: `user:…`, `key:…`, `operator:…`, `system:…` or `anonymous`.'),
    event: z
      .string()
      .describe('What was done.')
      .meta({ examples: ['workflow.created'] }),
    target: z.string().nullable().describe('The id of what it was done to.'),
    requestId: z.string().nullable(),
    ip: z.string().nullable().describe('The address that the request came from.'),
    details: JsonValue,
    changes: z
      .record(z.string(), z.object({ before: JsonValue.optional(), after: JsonValue.optional() }))
      .nullable()
      .describe('What a change changed, by member. `details.changes` commits to it. Null for other events, and once it is erased.'),
    earlierNames: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Of things that were renamed since: their names at the time of the event, by id. They come from the changes of the renames, so they are gone once those are erased.',
      ),
    log: z
      .object({ date: z.string(), index: z.int().describe('The number of its leaf in the log of this date.') })
      .nullable()
      .describe('The place in the log; null within the first second, until the event has a leaf.'),
  })
  .meta({ id: 'AuditEvent' })

const FoundEvents = listPage(AuditEvent).extend({
  searchedTo: z
    .string()
    .nullable()
    .describe(
      'A search by text, event or request reads a part of the log at a time: null if it has read all or filled the page, else up to which time. Continue with `nextCursor`; a page may have fewer events than `limit`, or none.',
    ),
  names: z
    .record(z.string(), z.string())
    .describe(
      'The names that what the events name has today, by id: users by name or address, workflows, triggers and so on, approvals by their title, and executions by their workflow. A user who was removed keeps the last name.',
    ),
  former: z
    .array(z.string())
    .optional()
    .describe('Those ids of `names` whose users were removed from the account. Once their personal data is erased they have no name.'),
})

const Finding = z
  .object({
    kind: z
      .enum(findingKinds)
      .describe(
        '`row_…`: an event. `change_differs`: the states before and after that are kept beside it. `leaf_…`: its leaf in the log. `checkpoint_…`: a signed state of the log. `root_differs`: leaves and events were replaced together, between the two checkpoints that `detail` names. `day_…`: a whole day.',
      ),
    index: z.int().nullable().describe('The number of the leaf, or the size at the checkpoint.'),
    event: typeId('aud').nullable(),
    detail: z.string(),
  })
  .meta({ id: 'AuditFinding' })

const Day = z
  .object({
    date: z.string(),
    leaves: z.int().describe('Leaves that were computed again from their events, with the first one, which states the day before.'),
    checkpoints: z.int().describe('Checkpoints whose signature and root were verified.'),
    erased: z.int().describe('Events whose address and details were erased. Their leaves show that they happened; what they said is gone.'),
    root: z.string().describe('Root of the tree (RFC 6962), as hexadecimal digits.'),
    anchor: z
      .object({
        leaves: z.int().describe('Leaves of the day up to the anchored checkpoint.'),
        witnesses: z
          .array(z.object({ name: z.string(), at: z.iso.datetime() }))
          .describe('Witnesses of the configuration whose co-signatures are right, with the time that each states.'),
        stamped: z.boolean().describe('Whether it has a time stamp of an authority (RFC 3161).'),
        stampedAt: z.iso
          .datetime()
          .nullable()
          .describe('Time of the stamp, if the server has verified it; null without certificates of the authority in the configuration.'),
      })
      .nullable()
      .describe('The newest checkpoint of the day that others have seen; null before the first, or without witnesses and authority.'),
    findings: z.array(Finding).describe('What does not match; empty when everything does. At most some 200.'),
    truncated: z.boolean().describe('Whether there are more findings.'),
  })
  .meta({ id: 'AuditDay' })

const Key = z
  .object({
    purpose: z.enum(['checkpoint', 'receipt']),
    name: z.string(),
    keyId: z.string().describe('SHA-256 of the public key (SubjectPublicKeyInfo), as hexadecimal digits.'),
    algorithm: z.enum(['Ed25519', 'ECDSA P-256 with SHA-256']),
    publicKey: z.string().describe('SubjectPublicKeyInfo, DER in base64.'),
    verifierKey: z.string().nullable().describe('The key of checkpoints in the form of C2SP: `name+id+base64`.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'EvidenceKey' })

const base = { stability: 'beta', rateLimit: 'default', audit: 'none', idempotency: 'natural', errors: [] } as const
const reads = { ...base, auth: { scope: 'audit:read' }, role: 'auditor' } as const

const filters = {
  event: z
    .string()
    .min(1)
    .max(500)
    .refine(
      (text) =>
        text.split(',').every((event) => /^!?[^!*]*\*?$/.test(event) && event !== '' && event !== '!') && text.split(',').length <= 20,
      {
        error: 'Must be an event, or the beginning of events followed by *; at most 20 of them, separated by commas.',
      },
    )
    .optional()
    .describe(
      'The event, or its beginning followed by `*`; at most 20, of which one matches, separated by commas. Those that begin with `!` are left out.',
    )
    .meta({ examples: ['workflow.*'] }),
  target: z.string().min(1).max(128).optional().describe('The id of what it was done to.'),
  requestId: z.string().min(1).max(128).optional(),
  from: Timestamp.optional().describe('At this time or later.'),
  to: Timestamp.optional().describe('Before this time.'),
  q: searchText.describe(
    'Text in the event, actor, target, address or details, or in the name of a user, key, workflow, trigger, chain, connection, variable or repository, or in the title of one of the latest 5,000 approvals, that the event concerns; in any case.',
  ),
} as const

const actor = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .describe('As `kind:id`.')
  .meta({ examples: ['user:usr_01h455vb4pex5vsknk084sn02q'] })

const query = operation({
  ...reads,
  id: 'audit.query',
  method: 'GET',
  path: '/api/v1/audit/query',
  summary: 'Search the audit log',
  description:
    'Everything that was done in the account, newest first: changes by users and keys, sign-ins, and starts and ends of executions. An event matches all given filters.',
  query: z.strictObject({ ...listQuery, actor, ...filters }),
  reply: FoundEvents,
})

const exportEvents = operation({
  ...reads,
  id: 'audit.exportEvents',
  method: 'GET',
  path: '/api/v1/audit/export',
  summary: 'Export the events of a search of the audit log',
  description:
    'Every event up to now that `audit.query` finds with these filters, newest first, as a file, with the place and the hash of its leaf. The last line of a complete file says how many events it has; without it, the export broke off. An export takes at most 15 minutes, and an account has at most two at a time. Cells of CSV that a spreadsheet would read as a formula begin with an apostrophe.',
  audit: 'audit.exported',
  transaction: 'own',
  media: '*/*',
  query: z.strictObject({
    format: z.enum(['csv', 'jsonl']).default('csv').describe('`csv` has a line of column names; `jsonl` has one JSON object a line.'),
    actor,
    ...filters,
  }),
  reply: z.string().describe('The file: `text/csv` or `application/x-ndjson`, in UTF-8.'),
  errors: ['overloaded', 'too_many_streams'],
})

const me = operation({
  ...base,
  auth: { scope: 'account:read' },
  id: 'audit.me',
  method: 'GET',
  path: '/api/v1/audit/me',
  summary: 'List what the caller did',
  description: 'Events of the audit log whose actor is the signed-in user, or the API key of the request, newest first.',
  query: z.strictObject({ ...listQuery, ...filters }),
  reply: FoundEvents,
})

const verify = operation({
  ...reads,
  id: 'audit.verify',
  method: 'GET',
  path: '/api/v1/audit/verify',
  summary: 'Verify the audit log',
  description:
    'Computes the log again from the events, day by day, and compares it with its leaves, roots and signed checkpoints. A long log takes several requests: send `continueFrom` as `from`.',
  transaction: 'own',
  query: z.strictObject({ from: DateText.optional().describe('The first day to verify; the first of the log unless given.') }),
  reply: z.object({
    verified: z.boolean().describe('Whether everything that was checked matches.'),
    days: z.array(Day).describe('The days that were checked, in order.'),
    continueFrom: z.string().nullable().describe('The next day, if the log is longer than one request verifies.'),
    keys: z.array(Key).describe('The public keys of checkpoints.'),
  }),
})

const verifyDay = operation({
  ...reads,
  id: 'audit.verifyDay',
  method: 'GET',
  path: '/api/v1/audit/verify/{date}',
  summary: 'Verify one day of the audit log',
  description:
    'As `audit.verify`, for the log of one day (UTC). The day is that on which an event was logged, within a second of the event.',
  transaction: 'own',
  params: z.object({ date: z.string() }),
  reply: z.object({
    verified: z.boolean(),
    day: Day,
    checkpoint: z.string().nullable().describe('The latest signed checkpoint (C2SP tlog-checkpoint).'),
    keys: z.array(Key).describe('The public keys of checkpoints.'),
  }),
})

const exportDay = operation({
  ...reads,
  id: 'audit.export',
  method: 'GET',
  path: '/api/v1/audit/export/{date}',
  summary: 'Export one day of the audit log with its proof',
  description:
    'A part of the log of one day as lines for a file: the day, its checkpoints, and its events with their leaves. `millrace verify audit FILE` verifies the file without this installation. A long day has several parts: append the lines of each, and send `nextCursor` as `cursor`.',
  audit: 'audit.exported',
  transaction: 'own',
  params: z.object({ date: z.string() }),
  query: z.strictObject({
    cursor: listQuery.cursor,
    reveal: z
      .string()
      .max(1_000)
      .transform((text) => text.split(','))
      .optional()
      .describe('Members whose states before and after are revealed with their salts, separated by commas; `*` reveals all.')
      .meta({ examples: ['name,role'] }),
  }),
  reply: z.object({ lines: z.array(z.string().describe('One line of the file: a JSON object.')), nextCursor: z.string().nullable() }),
})

const keys = operation({
  ...base,
  auth: 'public',
  id: 'audit.keys',
  method: 'GET',
  path: '/api/v1/audit/keys',
  summary: 'List the public keys of evidence',
  description:
    'The keys that sign checkpoints of audit logs and receipts of executions. Keep them outside of the installation: evidence is verified with them.',
  reply: z.object({ keys: z.array(Key) }),
})

/** The audit log: search, verification, export and streaming. */
export const audit = { query, exportEvents, me, verify, verifyDay, export: exportDay, keys, ...auditDestinations } as const
