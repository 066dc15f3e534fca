import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { PersonAction, PersonValues } from './person-values.ts'

const path = '/api/v1/privacy/persons'
const base = { stability: 'beta', rateLimit: 'default', role: 'admin', errors: [] } as const
const reads = { ...base, auth: { scope: 'privacy:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'privacy:write' } } as const

const FoundRecord = z
  .object({
    id: z.string().describe('Id of the record, or its key where it has none.'),
    at: z.iso.datetime().nullable().describe('When it was made.'),
    name: z.string().nullable(),
    fields: z.array(z.string()).describe('The fields that contain a value.'),
    executionId: typeId('exec').nullable(),
    workflowId: typeId('wf').nullable(),
    approvalId: typeId('apr').nullable(),
    fileId: typeId('file').nullable(),
    triggerId: typeId('trg').nullable(),
    userId: typeId('usr').nullable(),
  })
  .meta({ id: 'PersonRecord' })

const find = operation({
  ...writes,
  id: 'persons.find',
  method: 'POST',
  path: `${path}/find`,
  summary: 'Find the data of a person',
  description:
    'Names the records of the account that contain one of the values: exactly those that an erasure of these values would replace, delete or keep now, and the files of start forms that it would delete. The contents of files are searched by a report and by an erasure. Each search is in the audit log; the values are not kept.',
  transaction: 'own',
  audit: 'privacy.person_searched',
  idempotency: 'keyed',
  body: z.strictObject({
    values: PersonValues,
    limit: z.int().min(1).max(100).default(20).describe('How many records of each category are named, newest first.'),
  }),
  reply: z
    .object({
      categories: z.array(
        z.object({
          category: z.string(),
          action: PersonAction.describe('What an erasure would do with these records.'),
          reason: z.string().nullable().describe('Why they would be kept.'),
          total: z.int(),
          records: z.array(FoundRecord),
          more: z.int().describe('How many there are beyond those that are named.'),
        }),
      ),
    })
    .meta({ id: 'PersonRecords' }),
  errors: ['overloaded'],
})

const Counted = z.object({ category: z.string(), records: z.int() })

const Report = z
  .object({
    id: typeId('pdr'),
    state: z.enum(['preparing', 'ready', 'failed', 'expired']),
    failure: z.string().nullable(),
    values: z.int().describe('How many values were given. The values themselves are removed when the report is ready.'),
    note: z.string().nullable(),
    locale: z.enum(['en', 'ar']),
    progress: z.object({ done: z.int().describe('Categories that are in the file.'), total: z.int().nullable() }),
    records: z.array(Counted).describe('What the report has, by category.'),
    review: z
      .array(
        z.object({
          kind: z.enum(['unreadable', 'too_large', 'left_out']),
          count: z.int(),
          files: z.array(z.object({ id: typeId('file'), name: z.string() })).describe('Some of them, at most 20.'),
        }),
      )
      .describe(
        'Files to look into, which are not in the report: `unreadable` are no text that can be searched, `too_large` were not searched, and `left_out` have the data and are too large together.',
      ),
    bytes: z.int().nullable(),
    sha256: z.string().nullable().describe('Of the file, as hexadecimal digits.'),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    expiresAt: z.iso.datetime().describe('When the file is deleted.'),
  })
  .meta({ id: 'PersonReport' })

const params = z.object({ id: typeId('pdr') })

const createReport = operation({
  ...writes,
  id: 'persons.createReport',
  method: 'POST',
  path: `${path}/reports`,
  summary: 'Make a report about a person',
  description:
    'Makes a ZIP file with the records that contain the values, in the background: a summary to read (HTML), and the records as JSON with where and when they were found and why they are kept. Secrets are left out. Records may also have data of other persons: review them before you hand the report over. The file is kept for a week, and an erasure deletes it.',
  audit: 'privacy.report_requested',
  idempotency: 'keyed',
  body: z.strictObject({
    values: PersonValues,
    note: z.string().trim().min(1).max(500).optional().describe('For which request; it is kept. Do not name the person.'),
    locale: z.enum(['en', 'ar']).default('en').describe('Language of the summary.'),
  }),
  reply: Report,
  errors: ['conflict'],
})

const reports = operation({
  ...reads,
  id: 'persons.reports',
  method: 'GET',
  path: `${path}/reports`,
  summary: 'List reports about persons',
  query: z.strictObject(listQuery),
  reply: listPage(Report),
})

const report = operation({
  ...reads,
  id: 'persons.report',
  method: 'GET',
  path: `${path}/reports/{id}`,
  summary: 'Read the state of a report about a person',
  params,
  reply: Report,
  errors: ['not_found'],
})

const linkReport = operation({
  ...writes,
  id: 'persons.linkReport',
  method: 'POST',
  path: `${path}/reports/{id}/link`,
  summary: 'Make a link to a report about a person',
  description: 'For one download of a report that is ready.',
  audit: 'privacy.report_linked',
  idempotency: 'keyed',
  params,
  reply: z.object({
    url: z.string().describe('Path of the file. It works once and needs no credential.'),
    expiresAt: z.iso.datetime(),
  }),
  errors: ['not_found', 'conflict'],
})

const deleteReport = operation({
  ...writes,
  id: 'persons.deleteReport',
  method: 'DELETE',
  path: `${path}/reports/{id}`,
  summary: 'Delete a report about a person',
  description: 'With its file. One that is being prepared is not made any more.',
  audit: 'privacy.report_deleted',
  idempotency: 'natural',
  params,
  reply: z.object({ id: typeId('pdr'), deleted: z.literal(true) }),
  errors: ['not_found'],
})

const reportContent = operation({
  stability: 'beta',
  rateLimit: 'default',
  id: 'persons.reportContent',
  method: 'GET',
  path: `${path}/reports/{token}/content`,
  summary: 'Download a report about a person',
  description: 'The link is in the response of `persons.linkReport`. It works once.',
  auth: 'public',
  requestHeaders: ['Range', 'If-Range'],
  replyHeaders: ['Accept-Ranges', 'ETag'],
  audit: 'privacy.report_downloaded',
  idempotency: 'natural',
  media: 'application/zip',
  params: z.object({ token: z.string() }),
  reply: z.string().describe('The bytes of the ZIP file.'),
  errors: ['not_found'],
})

/** The data of persons: where it is, and reports about it. */
export const persons = { find, createReport, reports, report, linkReport, deleteReport, reportContent } as const
