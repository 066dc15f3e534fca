import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { operation } from '#src/operation.ts'
import { publishers } from '#src/publishers.ts'
import { Timestamp } from '#src/time.ts'
import { personalDataKinds } from './privacy-kinds.ts'

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const reads = { ...base, auth: { scope: 'account:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'account:write' }, role: 'admin', idempotency: 'natural' } as const
const path = '/api/v1/account'

const isLocale = (text: string) => {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false // `Intl` reports a malformed tag by an exception.
  }
}
const isZone = (text: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}

const Publishers = z
  .enum(publishers)
  .describe(
    'Who may publish workflows and chains, and enable published workflows: `members`, all who may edit them; `admins`, only administrators and owners. An API key may do what its user may do.',
  )

const Settings = z
  .object({
    id: typeId('acct'),
    name: z.string(),
    locale: z.string().nullable().describe('A language tag of BCP 47.'),
    timeZone: z.string().nullable().describe('A name of the IANA time zone database.'),
    retentionDays: z
      .int()
      .nullable()
      .describe(
        'For how long ended executions are kept, unless their workflow says otherwise; null: as long as the installation keeps them.',
      ),
    requiresMfa: z.boolean().describe('Whether every user needs a second factor.'),
    publishers: Publishers,
    revision: z.int(),
  })
  .meta({ id: 'AccountSettings' })

const settings = operation({
  ...reads,
  id: 'account.settings',
  method: 'GET',
  path: `${path}/settings`,
  summary: 'Get the settings of the account',
  description: 'The `ETag` is for `If-Match` of the change.',
  replyHeaders: ['ETag'],
  reply: Settings,
})

const update = operation({
  ...writes,
  id: 'account.update',
  method: 'PATCH',
  path,
  summary: 'Change the settings of the account',
  description: 'Members that are left out stay; without any, the settings are returned. A shorter retention deletes older executions soon.',
  audit: 'account.updated',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  body: z.strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    locale: z
      .string()
      .max(35)
      .refine(isLocale, { error: 'Must be a language tag of BCP 47, such as ar-SA.' })
      .nullable()
      .optional()
      .meta({ examples: ['ar-SA'] }),
    timeZone: z
      .string()
      .max(60)
      .refine(isZone, { error: 'Must be a name of the IANA time zone database, such as Asia/Riyadh.' })
      .nullable()
      .optional()
      .meta({ examples: ['Asia/Riyadh'] }),
    retentionDays: z.int().min(1).max(36_500).nullable().optional(),
    requiresMfa: z.boolean().optional(),
    publishers: Publishers.optional(),
  }),
  reply: Settings,
  errors: ['conflict'],
})

const ConsentState = z.enum(['given', 'withdrawn', 'replaced', 'expired'])

const Receipt = z
  .object({
    schemaVersion: z.literal('ISO/IEC TS 27560:2023'),
    recordId: typeId('cns'),
    principal: typeId('acct').describe('On whose behalf the consent was given.'),
    controller: z.string(),
    purposes: z.array(
      z.object({
        purpose: z.string(),
        lawfulBasis: z.literal('consent'),
        categories: z.array(z.string()),
        recipients: z.array(z.string()),
      }),
    ),
    regions: z.array(z.string()),
    events: z.array(z.object({ state: ConsentState, at: z.iso.datetime(), by: z.string() })),
    expiresAt: z.iso.datetime().nullable(),
    digest: z.string().describe('SHA-256 of the receipt without this member, in canonical JSON (RFC 8785).'),
  })
  .meta({
    id: 'ConsentReceipt',
    examples: [
      {
        schemaVersion: 'ISO/IEC TS 27560:2023',
        recordId: 'cns_01h455vb4pex5vsknk084sn02q',
        principal: 'acct_01h455vb4pex5vsknk084sn02q',
        controller: 'Example GmbH',
        purposes: [{ purpose: 'models', lawfulBasis: 'consent', categories: ['text'], recipients: ['models'] }],
        regions: ['us'],
        events: [{ state: 'given', at: '2026-01-31T12:00:00.000Z', by: 'usr_01h455vb4pex5vsknk084sn02q' }],
        expiresAt: null,
        digest: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      },
    ],
  })

const Consent = z
  .object({ id: typeId('cns'), kind: z.enum(['cross-border', 'privacy-preferences']), state: ConsentState, receipt: Receipt })
  .meta({ id: 'Consent' })

const Choice = z.enum(['allow', 'redact', 'refuse'])
const Preferences = {
  models: Choice.describe('Personal data in prompts for models.'),
  connectors: Choice.describe('Personal data in calls of connectors.'),
  webhooks: Choice.describe('Personal data in webhooks and events for subscribers.'),
  mail: Choice.describe('Personal data in mails.'),
  refusedKinds: z.array(z.enum(personalDataKinds)).max(personalDataKinds.length).describe('Kinds that never leave the installation.'),
  decisionLogDays: z.int().min(1).max(3_650).describe('For how long the log of privacy decisions is kept.'),
} as const

const PrivacyPreferences = z.object({ ...Preferences, revision: z.int() }).meta({ id: 'PrivacyPreferences' })

const consents = operation({
  ...reads,
  id: 'account.consents',
  method: 'GET',
  path: `${path}/consents`,
  summary: 'List consents and privacy preferences',
  reply: z.object({
    crossBorder: z.object({ isGiven: z.boolean(), consent: Consent.nullable().describe('The latest record.') }),
    preferences: PrivacyPreferences,
    history: z.array(Consent).describe('The latest 100 records, newest first.'),
  }),
})

const giveCrossBorder = operation({
  ...writes,
  idempotency: 'keyed',
  id: 'account.giveCrossBorder',
  method: 'POST',
  path: `${path}/consents/cross-border`,
  summary: 'Consent to transfers outside the region',
  description:
    'Permits operations and destinations that send data outside the region of the installation. The same consent again returns the record; another one replaces it.',
  audit: 'account.consent_given',
  body: z.strictObject({
    purposes: z
      .array(z.string().trim().min(1).max(200))
      .min(1)
      .max(20)
      .meta({ examples: [['Answers of a language model']] }),
    categories: z.array(z.enum(personalDataKinds)).max(personalDataKinds.length).default([]).describe('Empty: all kinds.'),
    recipients: z.array(z.string().trim().min(1).max(200)).max(50).default([]).describe('Hosts or names; empty: every configured one.'),
    regions: z
      .array(z.string().regex(/^[A-Z]{2}$/, { error: 'Must be a country code of ISO 3166, or EU.' }))
      .max(50)
      .default([])
      .describe('Empty: every region.'),
    expiresAt: Timestamp.optional(),
  }),
  reply: Consent,
})

const withdrawCrossBorder = operation({
  ...writes,
  id: 'account.withdrawCrossBorder',
  method: 'DELETE',
  path: `${path}/consents/cross-border`,
  summary: 'Withdraw the consent to transfers outside the region',
  description: 'Takes effect at once: what needs the consent is refused with `consent_required`.',
  audit: 'account.consent_withdrawn',
  reply: Consent,
  errors: ['not_found'],
})

const putPreferences = operation({
  ...writes,
  id: 'account.putPrivacyPreferences',
  method: 'PUT',
  path: `${path}/consents/privacy-preferences`,
  summary: 'Set the privacy preferences',
  description: 'Decides what happens to personal data on its way out of the installation. Leaves a receipt among the consents.',
  audit: 'account.privacy_preferences_set',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  body: z.strictObject({
    models: Choice.default('redact'),
    connectors: Choice.default('allow'),
    webhooks: Choice.default('allow'),
    mail: Choice.default('allow'),
    refusedKinds: Preferences.refusedKinds.default([]),
    decisionLogDays: Preferences.decisionLogDays.default(365),
  }),
  reply: PrivacyPreferences,
})

const data = operation({
  ...reads,
  id: 'account.data',
  method: 'GET',
  path: `${path}/data`,
  summary: 'List what is kept about the account',
  description: 'Every category of data with the number of records and for how long they are kept.',
  role: 'admin',
  transaction: 'own',
  reply: z.object({
    at: z.iso.datetime(),
    categories: z.array(
      z
        .object({
          category: z.string(),
          description: z.string(),
          records: z.int(),
          isLowerBound: z.boolean().describe('Whether there are more records; at most 100,000 of a table are counted.'),
          retention: z.string(),
          exported: z.boolean().describe('Whether `account.export` includes it. Credentials and keys are never exported.'),
        })
        .meta({ id: 'DataCategory' }),
    ),
  }),
})

const Export = z
  .object({
    id: typeId('exp'),
    state: z.enum(['preparing', 'ready', 'failed']),
    failure: z.string().nullable(),
    progress: z.object({ done: z.int().describe('Categories that are in the file.'), total: z.int() }),
    bytes: z.int().nullable(),
    sha256: z.string().nullable().describe('Of the file, as hexadecimal digits.'),
    download: z
      .object({ url: z.string().describe('Path of the file. It works once and needs no credential.'), expiresAt: z.iso.datetime() })
      .nullable()
      .describe('Present when the file is ready; each request makes a new link.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the file is deleted.'),
  })
  .meta({ id: 'AccountExport' })

const startExport = operation({
  ...writes,
  idempotency: 'keyed',
  id: 'account.export',
  method: 'POST',
  path: `${path}/export`,
  summary: 'Export the data of the account',
  description:
    'Makes a ZIP file with a bag (BagIt, RFC 8493) of all data as JSON lines, with the contents of files up to 15 GiB, in the background. Repeat the request until `state` is `ready`; owners are notified then. The file is kept for a day; a day later, or with `fresh`, a request makes a new one.',
  role: 'owner',
  audit: 'account.export_requested',
  body: z.strictObject({ fresh: z.boolean().default(false).describe('Make a new file although one is ready.') }).optional(),
  reply: Export,
})

const exportContent = operation({
  ...base,
  id: 'account.exportContent',
  method: 'GET',
  path: `${path}/export/{token}/content`,
  summary: 'Download an export of the account',
  description:
    'The link is in the response of `account.export`. It works once. To resume a download that broke off, request the export again and ask its new link for the rest (`Range`): the file is the same.',
  auth: 'public',
  requestHeaders: ['Range', 'If-Range'],
  replyHeaders: ['Accept-Ranges', 'ETag'],
  audit: 'account.export_downloaded',
  idempotency: 'natural',
  media: 'application/zip',
  params: z.object({ token: z.string() }),
  reply: z.string().describe('The bytes of the ZIP file.'),
  errors: ['not_found'],
})

/** The account itself: settings, consents, and what is kept about it. */
export const account = {
  settings,
  update,
  consents,
  giveCrossBorder,
  withdrawCrossBorder,
  putPrivacyPreferences: putPreferences,
  data,
  export: startExport,
  exportContent,
} as const
