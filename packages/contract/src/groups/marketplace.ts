import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery, searchText } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import {
  Category,
  EntryDetails,
  EntryPage,
  entryStates,
  ImportedEntry,
  Licence,
  Publication,
  Report,
  reportReasons,
} from './marketplace-schemas.ts'
import { Imported, ParameterValues } from './template-schemas.ts'
import { Name } from './workflow-schemas.ts'

const byId = z.object({ id: typeId('mkt') })
const base = { stability: 'beta', rateLimit: 'default' } as const
const reads = { ...base, auth: 'public', audit: 'none', idempotency: 'natural', errors: [] } as const
const writes = { ...base, auth: { scope: 'marketplace:write' }, role: 'member' } as const
const path = '/api/v1/marketplace'
const filters = {
  ...listQuery,
  category: Category.optional(),
  licence: Licence.optional(),
  tag: z.string().trim().toLowerCase().min(1).max(40).optional(),
} as const

const list = operation({
  ...reads,
  id: 'marketplace.list',
  method: 'GET',
  path,
  summary: 'List the marketplace',
  description: 'Public. `popular` ranks by ratings, weighted by their number, and by imports.',
  query: z.strictObject({ ...filters, sort: z.enum(['popular', 'new']).default('popular') }),
  reply: EntryPage,
})

const search = operation({
  ...reads,
  id: 'marketplace.search',
  method: 'GET',
  path: `${path}/search`,
  summary: 'Search the marketplace',
  description:
    'Public. Finds entries with all words, the last one also as a beginning; title counts most, then tags, summary and README. Accents and case do not matter. Without a match, words that no entry has are corrected: one typing error in words of four letters or more, two in words of eight to sixteen.',
  query: z.strictObject({
    ...filters,
    q: searchText.describe('Without it the most popular entries are listed.'),
  }),
  reply: EntryPage,
})

const get = operation({
  ...reads,
  id: 'marketplace.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read an entry of the marketplace',
  description: 'Public: the definition, README, drawing and permissions of its latest version.',
  params: byId,
  reply: EntryDetails,
})

const publish = operation({
  ...writes,
  id: 'marketplace.publish',
  method: 'POST',
  path: `${path}/publish/{id}`,
  summary: 'Publish a workflow in the marketplace',
  description:
    'Makes a published version of the workflow public, as the next version of its entry. Comments and the metadata of the document are taken out, and the values at the places of `parameters`. A text that looks like a secret or personal data is refused with its place.',
  role: 'admin',
  audit: 'marketplace.published',
  idempotency: 'keyed',
  replyHeaders: ['Location'],
  params: z.object({ id: typeId('wf') }),
  body: Publication,
  reply: EntryDetails,
  errors: ['conflict', 'publication_refused', 'workflow_invalid', 'workflow_not_published'],
})

const importOne = operation({
  ...base,
  id: 'marketplace.import',
  method: 'POST',
  path: `${path}/import/{id}`,
  summary: 'Import an entry of the marketplace',
  description:
    'Creates a workflow from the latest version of the entry, as a draft unless `publish` is true. The response shows what it may reach, and what it still needs.',
  auth: { scope: 'workflows:write' },
  role: 'member',
  audit: 'workflow.imported',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  params: byId,
  body: z.strictObject({
    name: Name.optional().describe(
      'Title of the entry unless given, with a number from the second use on; the document is named after it.',
    ),
    parameters: ParameterValues,
    publish: z.boolean().default(false),
  }),
  reply: Imported,
  errors: ['publishing_restricted', 'workflow_invalid', 'workflow_name_taken', 'parameters_invalid', 'quota_exceeded'],
})

const rate = operation({
  ...writes,
  id: 'marketplace.rate',
  method: 'PUT',
  path: `${path}/{id}/rate`,
  summary: 'Rate an entry of the marketplace',
  description: 'One rating for an account, after an import; a second one replaces the first. An entry of the own account cannot be rated.',
  audit: 'marketplace.rated',
  idempotency: 'natural',
  params: byId,
  body: z.strictObject({ stars: z.int().min(1).max(5) }),
  reply: z.object({ id: typeId('mkt'), stars: z.int(), rating: z.number(), ratings: z.int() }),
  errors: ['conflict', 'forbidden'],
})

const report = operation({
  ...writes,
  id: 'marketplace.report',
  method: 'POST',
  path: `${path}/{id}/report`,
  summary: 'Report an entry of the marketplace',
  description: 'For the operators of the installation. One report for an account and entry; a second one replaces the first.',
  audit: 'marketplace.reported',
  idempotency: 'keyed',
  params: byId,
  body: z.strictObject({ reason: z.enum(reportReasons), detail: z.string().trim().max(2_000).default('') }),
  reply: z.object({ id: typeId('mkt'), reported: z.literal(true) }),
  errors: [],
})

const reports = operation({
  ...base,
  id: 'marketplace.reports',
  method: 'GET',
  path: `${path}/reports`,
  summary: 'List the reports of entries',
  description: 'For operators. Without the account that reported.',
  auth: { scope: 'marketplace:write' },
  role: 'operator',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  query: z.strictObject(listQuery),
  reply: listPage(Report),
  errors: [],
})

const moderate = operation({
  ...writes,
  id: 'marketplace.moderate',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Withdraw or remove an entry',
  description:
    'An admin of the account that published it withdraws it or lists it again. An operator removes any entry with a reason, and lists it again; an author cannot list what an operator removed.',
  audit: 'marketplace.moderated',
  idempotency: 'natural',
  transaction: 'own',
  params: byId,
  body: z.strictObject({
    state: z.enum(entryStates).meta({ examples: ['withdrawn'] }),
    reason: z.string().trim().min(1).max(1_000).optional().describe('Required to remove.'),
  }),
  reply: EntryDetails,
  errors: ['conflict', 'forbidden'],
})

const imports = operation({
  ...base,
  id: 'marketplace.imports',
  method: 'GET',
  path: `${path}/imports`,
  summary: 'List the workflows imported from the marketplace',
  description: 'With a notice where the entry has a newer version.',
  auth: { scope: 'workflows:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(ImportedEntry),
  errors: [],
})

/** Workflows that accounts publish for everyone. */
export const marketplace = { list, search, get, publish, import: importOne, rate, report, reports, moderate, imports } as const
