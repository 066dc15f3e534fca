import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { personalDataKinds, privacyActions, privacyPoints, privacySources } from './privacy-kinds.ts'

/** Characters of a text to examine. */
/** Checks of the report on laws that may fail. */
const complianceChecks = [
  'purposes',
  'minimises',
  'retention',
  'policyRetention',
  'receipts',
  'records',
  'decisions',
  'audit',
  'transport',
  'mfa',
  'breach',
  'region',
  'transfers',
] as const

export const privacyTextMax = 100_000

export const redactOperators = ['replace', 'mask', 'hash', 'encrypt', 'keep'] as const

const Kind = z.enum(personalDataKinds)
const Text = z.string().max(privacyTextMax).describe(`The text; at most ${privacyTextMax} characters.`)
const ListedText = z.string().min(1).max(200)

const Options = {
  kinds: z.array(Kind).max(personalDataKinds.length).optional().describe('Only these kinds; all unless given.'),
  minScore: z.number().min(0).max(1).default(0.4).describe('The least score of a finding.'),
  allow: z
    .array(ListedText)
    .max(500)
    .optional()
    .describe('Texts that are not personal data, in any case, such as the name of your company.'),
  deny: z.array(ListedText).max(500).optional().describe('Texts that always are, in any case; found as `custom`.'),
  rules: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z][a-z0-9_-]{0,49}$/, { error: 'Must be lower-case letters, digits, _ and -, at most 50.' }),
        pattern: z.string().min(1).max(1_000).describe('A regular expression of RE2 (no back references, no look-around).'),
        score: z.number().min(0).max(1).default(0.8),
      }),
    )
    .max(50)
    .optional()
    .describe('Own patterns; found as `custom`.'),
  purpose: z.string().min(1).max(200).optional().describe('Why the text is processed; it is kept in the log of decisions.'),
} as const

const Span = z
  .object({
    kind: Kind,
    start: z.int().describe('Of the first character, in UTF-16 code units from 0.'),
    end: z.int().describe('Behind the last character.'),
    score: z.number().describe('From 0 to 1.'),
    rule: z.string().describe('What recognized it, such as `iban` or `national_id.SA.nid`.'),
  })
  .meta({ id: 'PersonalDataSpan' })

const Counts = z.record(z.string(), z.int()).describe('Findings by kind.')

const base = { stability: 'beta', rateLimit: 'default', audit: 'none', errors: [] } as const
const uses = { ...base, auth: { scope: 'privacy:use' }, idempotency: 'keyed' } as const
const reads = { ...base, auth: { scope: 'privacy:read' }, role: 'auditor', idempotency: 'natural' } as const

const check = operation({
  ...uses,
  id: 'privacy.check',
  method: 'POST',
  path: '/api/v1/privacy/check',
  summary: 'Find personal data in a text',
  description:
    'Returns where personal data is, of which kind and how certain. The text is not kept: the log of decisions has only counts by kind.',
  body: z.strictObject({ text: Text, ...Options }),
  reply: z.object({
    hasPersonalData: z.boolean(),
    spans: z.array(Span).describe('In order, without overlaps.'),
    counts: Counts,
    decisionId: typeId('prd'),
  }),
})

const Operator = z.enum(redactOperators)

const redact = operation({
  ...uses,
  id: 'privacy.redact',
  method: 'POST',
  path: '/api/v1/privacy/redact',
  summary: 'Redact personal data in a text',
  description:
    'Applies one operator to each finding. `replace`: a placeholder such as `<EMAIL>`. `mask`: asterisks, the last characters stay if `keepLast` says so. `hash`: a pseudonym that is the same for the same text within the account. `encrypt`: a token that `privacy.restore` opens again, under `key` or else under the key of the account. `keep`: unchanged.',
  body: z.strictObject({
    text: Text,
    ...Options,
    operator: Operator.default('replace'),
    operators: z
      .partialRecord(Kind, Operator)
      .optional()
      .describe('The operator for each kind; `operator` for all others.')
      .meta({ examples: [{ email: 'hash', person: 'mask' }] }),
    replacement: z.string().max(100).optional().describe('In place of `<KIND>`.'),
    keepLast: z.int().min(0).max(8).default(0).describe('For `mask`: characters at the end that stay.'),
    key: z
      .string()
      .regex(/^[A-Za-z0-9+/_-]{43}=?$/, { error: 'Must be 32 bytes in base64.' })
      .optional()
      .describe('For `encrypt`: 32 bytes in base64. It is not kept.'),
  }),
  reply: z.object({
    text: z.string(),
    spans: z.array(Span.extend({ operator: Operator })).describe('Positions in the text that was sent.'),
    counts: Counts,
    decisionId: typeId('prd'),
  }),
})

const restore = operation({
  ...uses,
  id: 'privacy.restore',
  method: 'POST',
  path: '/api/v1/privacy/restore',
  summary: 'Restore a text whose personal data was encrypted',
  description: 'Opens the tokens that `privacy.redact` made with the operator `encrypt`. A token under another key is an error.',
  role: 'admin',
  audit: 'privacy.restored',
  body: z.strictObject({
    text: z.string().max(4 * privacyTextMax),
    key: z
      .string()
      .regex(/^[A-Za-z0-9+/_-]{43}=?$/, { error: 'Must be 32 bytes in base64.' })
      .optional()
      .describe('The key of the redaction, if one was sent.'),
  }),
  reply: z.object({ text: z.string(), restored: z.int().describe('Tokens that were opened.') }),
  errors: ['request_invalid'],
})

/** Where a policy applies to executions. */
const Source = z
  .enum(privacySources)
  .describe(
    '`execution`: a policy for the input, at the start of an execution. `journal`, `output`, `prompts`, `logs`: a policy for that point. `egress`: data that was to leave the installation.',
  )
const Action = z.enum(privacyActions).describe('`none`: nothing was found.')

const logs = operation({
  ...reads,
  id: 'privacy.logs',
  method: 'GET',
  path: '/api/v1/privacy/logs',
  summary: 'List decisions about personal data',
  description: 'What was examined, found and done, newest first; never the data itself.',
  query: z.strictObject({ ...listQuery, source: Source.optional(), action: Action.optional(), workflowId: typeId('wf').optional() }),
  reply: listPage(
    z
      .object({
        id: typeId('prd'),
        at: z.iso.datetime(),
        source: Source,
        action: Action,
        actor: z.string().describe('Who caused it, as `kind:id`.'),
        workflowId: typeId('wf').nullable(),
        target: z
          .string()
          .nullable()
          .describe('The destination of data that was to leave the installation; else the execution, as `execution:id`.'),
        purpose: z.string().nullable(),
        reason: z.string().nullable(),
        counts: Counts,
        characters: z.int().describe('Characters that were examined.'),
      })
      .meta({ id: 'PrivacyDecision' }),
  ),
})

const Period = {
  from: Timestamp.optional().describe('30 days before `to` unless given.'),
  to: Timestamp.optional().describe('Now unless given.'),
} as const

const stats = operation({
  ...reads,
  id: 'privacy.stats',
  method: 'GET',
  path: '/api/v1/privacy/stats',
  summary: 'Count decisions about personal data',
  description: 'Decisions and findings of a period of at most 366 days.',
  query: z.strictObject(Period),
  reply: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    decisions: z.int(),
    findings: z.int(),
    byKind: Counts,
    byAction: z.record(z.string(), z.int()),
    bySource: z.record(z.string(), z.int()),
    days: z.array(z.object({ date: z.string(), decisions: z.int(), findings: z.int() })).describe('Days (UTC) with decisions, in order.'),
  }),
  errors: ['request_invalid'],
})

const compliance = operation({
  ...reads,
  id: 'privacy.compliance',
  method: 'GET',
  path: '/api/v1/privacy/compliance',
  summary: 'Report on articles of data protection laws',
  description:
    'For articles of the GDPR and of the Saudi PDPL that software can support: what this installation does for this account now, computed from its settings and data. It is no legal advice and no certification.',
  query: z.strictObject({ regulation: z.enum(['GDPR', 'PDPL']).optional() }),
  reply: z.object({
    at: z.iso.datetime(),
    summary: z.object({ met: z.int(), partlyMet: z.int(), notMet: z.int() }),
    articles: z.array(
      z
        .object({
          regulation: z.enum(['GDPR', 'PDPL']),
          article: z.string(),
          title: z.string(),
          status: z.enum(['met', 'partly_met', 'not_met']),
          evidence: z.array(z.string()).describe('What was found.'),
          missing: z.array(z.string()).describe('What to do for `met`.'),
          unmet: z.array(z.enum(complianceChecks)).describe('The checks behind `missing`, in the same order.'),
        })
        .meta({ id: 'ComplianceArticle' }),
    ),
  }),
})

const Point = z
  .enum(privacyPoints)
  .describe(
    '`input`: before an execution is stored. `journal`: what tasks get from services, models and people, before it is journalled. `output`: what callers get of an execution; the stored output stays as it was computed, so that replays and receipts prove it. `prompts`: what models are asked. `logs`: messages of failed tasks, in the journal and in the log of the server.',
  )

const Policy = z
  .object({
    id: typeId('prp'),
    workflowId: typeId('wf').nullable().describe('Null: for every workflow without a policy of its own for the point.'),
    point: Point,
    action: z.enum(['detect', 'redact', 'block']),
    kinds: z.array(Kind).describe('Empty: all kinds.'),
    minScore: z.number(),
    purpose: z.string(),
    legalBasis: z.enum(['consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests']),
    retention: z.string().nullable().describe('For how long executions may be kept at most, as an ISO 8601 duration; null: no limit.'),
    enabled: z.boolean(),
    revision: z.int(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'PrivacyPolicy' })

const policies = operation({
  ...reads,
  id: 'privacy.policies',
  method: 'GET',
  path: '/api/v1/privacy/policies',
  summary: 'List privacy policies',
  query: z.strictObject(listQuery),
  reply: listPage(Policy),
})

const putPolicy = operation({
  ...base,
  id: 'privacy.putPolicy',
  method: 'PUT',
  path: '/api/v1/privacy/policies',
  summary: 'Set a privacy policy of the account or of a workflow',
  description:
    'One policy for each point, with its own purpose and retention. Executions are deleted at the latest after the shortest retention of the policies that apply to their workflow; a longer one lengthens nothing. `detect` writes the findings to the log. `redact` replaces them by placeholders: before an input or an outcome is stored, so that the execution continues with the redacted value. `block` refuses the start with `personal_data_blocked`, fails the task, withholds the output, or replaces the message. A policy for `output` governs what callers get; to store no output with personal data, give `input` and `journal` the action `redact`.',
  auth: { scope: 'privacy:write' },
  role: 'admin',
  audit: 'privacy.policy_set',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  body: z.strictObject({
    workflowId: typeId('wf').optional(),
    point: Point.default('input'),
    action: z.enum(['detect', 'redact', 'block']),
    kinds: z.array(Kind).max(personalDataKinds.length).default([]),
    minScore: z.number().min(0).max(1).default(0.6),
    purpose: z.string().trim().min(1).max(200),
    legalBasis: z
      .enum(['consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests'])
      .describe('Article 6 (1) GDPR.'),
    retention: z
      .string()
      .regex(/^P(?!$)(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,4}W)?(?:\d{1,5}D)?$/, {
        error: 'Must be an ISO 8601 duration in days or more, such as P30D.',
      })
      .refine((text) => /[1-9]/.test(text), { error: 'Must be at least a day.' })
      .optional(),
    enabled: z.boolean().default(true),
  }),
  reply: Policy,
})

const egress = operation({
  ...uses,
  id: 'privacy.egress',
  method: 'POST',
  path: '/api/v1/privacy/egress',
  summary: 'Decide whether personal data may leave the installation',
  description:
    'From the consent to transfers and the privacy preferences. Ask before a workflow sends personal data to a destination of your own; the decision is in the log.',
  body: z.strictObject({
    destination: z.strictObject({
      kind: z.enum(['model', 'connector', 'webhook', 'mail']),
      host: z.string().min(1).max(253),
      region: z
        .string()
        .regex(/^[A-Z]{2}$/, { error: 'Must be a country code of ISO 3166, or EU.' })
        .optional()
        .describe('Without one the destination counts as outside of the region.'),
    }),
    categories: z.array(Kind).max(personalDataKinds.length).describe('Kinds of personal data in what is to be sent.'),
  }),
  reply: z.object({ action: z.enum(['allow', 'redact', 'refuse']), reason: z.string() }),
})

/** Personal data in texts: detection, redaction, decisions and policies. */
export const privacy = { check, redact, restore, logs, stats, compliance, policies, putPolicy, egress } as const
