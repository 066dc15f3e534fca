import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'

const Value = z
  .string()
  .trim()
  .min(5, { error: 'Must have at least 5 characters: a shorter text would be found where the person is not meant.' })
  .max(320)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'Must have no control characters.' })

const Erasure = z
  .object({
    id: typeId('era'),
    state: z
      .enum(['running', 'waiting', 'done'])
      .describe('`waiting`: executions that have not ended contain the data; it is erased when they have.'),
    values: z.int().describe('How many values were given. The values themselves are not kept.'),
    reason: z.string().nullable(),
    erased: z.array(z.object({ category: z.string(), records: z.int() })).describe('Records in which the data was replaced or deleted.'),
    kept: z
      .array(z.object({ category: z.string(), records: z.int(), reason: z.string() }))
      .describe('Records that keep the data, and why.'),
    problem: z.string().nullable().describe('Why the last attempt failed; another one follows.'),
    requestedAt: z.iso.datetime(),
    requestedBy: z.string(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PrivacyErasure' })

const path = '/api/v1/privacy/erasures'
const base = { stability: 'beta', rateLimit: 'default', role: 'admin', errors: [] } as const
const reads = { ...base, auth: { scope: 'privacy:read' }, audit: 'none', idempotency: 'natural' } as const

const create = operation({
  ...base,
  id: 'erasures.create',
  method: 'POST',
  path,
  summary: 'Erase the data of a person',
  description:
    'Finds the given values in executions, journals, events, conversations, mails, files and the audit log of the account, and replaces them for good. The audit log stays verifiable. What must be kept is listed with the reason. Cannot be undone.',
  auth: { scope: 'privacy:write' },
  audit: 'privacy.erasure_requested',
  idempotency: 'keyed',
  body: z.strictObject({
    values: z
      .array(Value)
      .min(1)
      .max(20)
      .describe(
        'What identifies the person, in each form in which it may be written: addresses, telephone numbers, names. Case is ignored.',
      )
      .meta({ examples: [['ada@example.com', 'Ada Lovelace', '+966 50 123 4567']] }),
    reason: z.string().trim().min(1).max(500).optional().describe('Why; it is kept. Do not name the person.'),
  }),
  reply: Erasure,
})

const list = operation({
  ...reads,
  id: 'erasures.list',
  method: 'GET',
  path,
  summary: 'List erasures',
  query: z.strictObject(listQuery),
  reply: listPage(Erasure),
})

const get = operation({
  ...reads,
  id: 'erasures.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read an erasure',
  description: 'The receipt: what was erased, and what is kept and why.',
  params: z.object({ id: typeId('era') }),
  reply: Erasure,
  errors: ['not_found'],
})

/** Erasure of persons. */
export const erasures = { create, list, get } as const
