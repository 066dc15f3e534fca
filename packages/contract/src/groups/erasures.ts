import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { PersonAction, PersonValues } from './person-values.ts'

const NamedFile = z.object({ id: typeId('file'), name: z.string() })

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
      .array(
        z.object({
          category: z.string(),
          records: z.int(),
          reason: z.string(),
          files: z.array(NamedFile).optional().describe('Files among them, at most 20. A name that has the data has a mark in its place.'),
        }),
      )
      .describe('Records that keep the data or may have it, and why.'),
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
    'Finds the given values in executions, journals, events, conversations, mails and the audit log of the account, and replaces them for good. Files that were sent with entries of start forms which have the values are deleted. The audit log stays verifiable. What is kept is listed with the reason, other files by name. Cannot be undone.',
  auth: { scope: 'privacy:write' },
  audit: 'privacy.erasure_requested',
  idempotency: 'keyed',
  body: z.strictObject({
    values: PersonValues,
    reason: z.string().trim().min(1).max(500).optional().describe('Why; it is kept. Do not name the person.'),
  }),
  reply: Erasure,
  errors: ['conflict'],
})

const preview = operation({
  ...reads,
  id: 'erasures.preview',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Preview an erasure',
  description:
    'Counts what an erasure of these values would replace, delete and keep now, and names the files of start forms that it would delete. Changes nothing and keeps nothing of the request. The contents of files are searched by the erasure alone.',
  transaction: 'own',
  auth: { scope: 'privacy:write' },
  idempotency: 'keyed',
  body: z.strictObject({ values: PersonValues }),
  reply: z
    .object({
      records: z.array(z.object({ category: z.string(), records: z.int(), action: PersonAction })),
      files: z.array(NamedFile).describe('Files that would be deleted, at most 100.'),
      moreFiles: z.int().describe('How many more there are at least.'),
    })
    .meta({ id: 'PrivacyErasurePreview' }),
  errors: ['overloaded'],
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
export const erasures = { create, preview, list, get } as const
