import * as z from 'zod'
import { VersionNumber } from '#src/version-number.ts'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage } from '#src/list.ts'
import { Parameter, parameterKinds, Permissions } from './template-schemas.ts'

export const marketplaceCategories = [
  'ai',
  'approvals',
  'communication',
  'data',
  'finance',
  'integration',
  'operations',
  'orders',
  'people',
  'reporting',
  'sales',
  'security',
  'support',
] as const
/** SPDX identifiers of licences under which a workflow may be published. */
export const marketplaceLicences = [
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MPL-2.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'Unlicense',
] as const
export const entryStates = ['listed', 'withdrawn', 'removed'] as const
export const reportReasons = ['malicious', 'secret', 'personal-data', 'copyright', 'spam', 'broken', 'other'] as const

export const Category = z.enum(marketplaceCategories).meta({ examples: ['orders'] })
export const Licence = z.enum(marketplaceLicences).meta({ description: 'SPDX identifier.', examples: ['MIT'] })

export const Entry = z
  .object({
    id: typeId('mkt'),
    title: z.string(),
    summary: z.string(),
    author: z.string(),
    category: Category,
    tags: z.array(z.string()),
    licence: Licence,
    version: z.int().describe('Number of the latest version of the entry, from 1.'),
    rating: z.number().nullable().describe('Mean of the ratings, from 1 to 5; null without any.'),
    ratings: z.int(),
    imports: z.int().describe('Accounts that imported it.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'MarketplaceEntry' })

export const EntryDetails = Entry.extend({
  state: z.enum(entryStates).describe('`withdrawn` by its author, `removed` by an operator; only `listed` entries are public.'),
  reason: z.string().nullable().describe('Why an operator removed it.'),
  readme: z.string().describe('Markdown. Render it without HTML.'),
  drawing: z.string().describe('The tasks and their transitions as text.'),
  permissions: Permissions,
  parameters: z.array(Parameter),
  inputSchema: JsonValue.nullable(),
  definition: JsonValue,
  definitionText: z.string(),
  checksum: z.string().describe('SHA-256 of `definitionText`, in hexadecimal.'),
  releases: z
    .array(z.object({ version: z.int(), notes: z.string(), checksum: z.string(), publishedAt: z.iso.datetime() }))
    .describe('The latest versions, newest first; at most 20.'),
}).meta({ id: 'MarketplaceEntryDetails' })

const facet = z.array(z.object({ name: z.string(), count: z.int() }))

export const EntryPage = listPage(Entry, 'best first').extend({
  facets: z
    .object({ categories: facet, licences: facet, tags: facet })
    .describe('How many of the entries have each value; at most 1,000 of the best entries are counted, and 20 tags named.'),
})

export const Publication = z.strictObject({
  version: VersionNumber.optional().describe('Number of the published version of the workflow; the latest unless given.'),
  title: z.string().trim().min(1).max(200).optional().describe('Name of the workflow unless given.'),
  summary: z
    .string()
    .trim()
    .min(10)
    .max(500)
    .meta({ description: 'What it does, in one or two sentences.', examples: ['Checks an order and books it.'] }),
  author: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ description: 'Shown to everyone as the author.', examples: ['Example Ltd.'] }),
  category: Category,
  tags: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u),
    )
    .max(10)
    .default([]),
  licence: Licence,
  readme: z.string().max(65_536).optional().describe('Markdown without HTML; made from the definition unless given.'),
  notes: z.string().max(2_000).default('').describe('What is new in this version.'),
  parameters: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, { error: 'Must be a letter, followed by at most 63 letters, digits and underscores.' }),
        kind: z.enum(parameterKinds).default('text'),
        description: z.string().trim().min(1).max(300),
        at: z.array(z.string().startsWith('/').max(500)).min(1).max(50).describe('JSON Pointers into the definition.'),
        example: JsonValue.describe('Replaces the values at these places in what is published.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Values of yours that are taken out, and that an import asks for.'),
})

export const Report = z
  .object({
    id: typeId('mkr'),
    entryId: typeId('mkt'),
    title: z.string(),
    reason: z.enum(reportReasons),
    detail: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'MarketplaceReport' })

export const ImportedEntry = z
  .object({
    workflowId: typeId('wf'),
    entryId: typeId('mkt'),
    title: z.string().nullable().describe('Null when the entry is gone.'),
    importedVersion: z.int(),
    latestVersion: z.int().nullable().describe('Null when the entry is gone.'),
    updateAvailable: z.boolean(),
    notes: z.string().nullable().describe('What is new in the latest version.'),
    importedAt: z.iso.datetime(),
  })
  .meta({ id: 'MarketplaceImport' })
