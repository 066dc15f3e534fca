import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { privacyPoints } from './privacy-kinds.ts'

/** The largest number of executions that a request for a pack names, and that a pack contains. */
export const packExecutionsMax = { named: 100, ofPeriod: 1_000 } as const

const byId = z.object({ id: typeId('exec') })
const base = { stability: 'beta', rateLimit: 'default', idempotency: 'natural' } as const
const reads = { ...base, auth: { scope: 'executions:read' }, audit: 'none' } as const
const audits = { ...base, auth: { scope: 'audit:read' }, role: 'auditor', audit: 'none' } as const

const Difference = z
  .object({
    part: z
      .enum(['journal', 'state', 'output', 'error', 'decisions'])
      .describe('`journal`: the replay took another path. The others: the replay ended with another value.'),
    detail: z.string(),
    recorded: JsonValue.optional().describe('The value on record.'),
    walked: JsonValue.optional().describe('The value that the replay computed.'),
  })
  .meta({ id: 'ReplayDifference' })

const replay = operation({
  ...reads,
  id: 'archivist.replay',
  method: 'GET',
  path: '/api/v1/archivist/runs/{id}/replay',
  summary: 'Replay an execution against its journal',
  description:
    'Walks the execution again from its definition and input, with the journalled outcome in place of every effect, and compares. Nothing is called. The values of secrets are those of now: a secret that was changed since can make a difference.',
  transaction: 'own',
  params: byId,
  reply: z.object({
    executionId: typeId('exec'),
    state: z.string(),
    verified: z.boolean().describe('Whether the record follows from definition, input and journal.'),
    entries: z.int().describe('Entries in the journal.'),
    difference: Difference.nullable().describe('The first difference.'),
    tasks: z
      .array(
        z.object({
          position: z.string().describe('Unique in the execution: with iterations, visits and attempts.'),
          task: z.string().describe('JSON Pointer of the task in the definition.'),
          name: z.string(),
          kind: z.string(),
          state: z.string(),
          result: z
            .enum(['same', 'different', 'not_compared'])
            .describe('`not_compared`: the task is behind the first difference, or has not ended.'),
          difference: Difference.nullable(),
        }),
      )
      .describe('At most 1,000, in the order in which they began.'),
    truncated: z.boolean().describe('Whether there are more tasks. `verified` covers all of them.'),
    erased: z
      .object({
        erasureId: typeId('era'),
        at: z.iso.datetime(),
        remains: z
          .enum(['unchanged', 'changed', 'unsealed'])
          .describe(
            '`unchanged`: the record is what the erasure left, by the digests that it wrote to the audit log. `changed`: it was changed afterwards. `unsealed`: the log does not have the digests.',
          ),
        differences: z.array(z.string()).describe('Members of the record that were changed after the erasure.'),
      })
      .optional()
      .describe(
        'Present if data of a person was erased in the execution. `verified` is then false where the definition computes with that data.',
      ),
  }),
  errors: ['overloaded'],
})

const receipt = operation({
  ...reads,
  id: 'archivist.receipt',
  method: 'GET',
  path: '/api/v1/archivist/runs/{id}/guardian-receipt',
  flag: 'isGuardianReceiptEnabled',
  summary: 'Issue the receipt of an execution',
  description:
    'A signed statement of what an ended execution did: an in-toto Statement in a DSSE envelope, signed with ECDSA P-256. It has digests of definition, input, output and every effect, the approvals, the result of a replay, and the proof that the end of the execution is in the audit log. It contains no input or output itself. Verifiers need the public key of `audit.keys` only.',
  transaction: 'own',
  params: byId,
  reply: z.object({
    executionId: typeId('exec'),
    envelope: z
      .object({
        payload: z.string().describe('The statement, in base64.'),
        payloadType: z.literal('application/vnd.in-toto+json'),
        signatures: z.array(z.object({ keyid: z.string(), sig: z.string().describe('DER, in base64.') })),
      })
      .meta({ id: 'DsseEnvelope' }),
    statement: JsonValue.meta({ description: 'The statement in `payload`, decoded.' }),
    publicKey: z.string().describe('SubjectPublicKeyInfo, DER in base64.'),
  }),
  errors: ['execution_unfinished', 'overloaded'],
})

const Period = {
  from: Timestamp.optional().describe('Executions that ended at this time or later; 30 days before `to` unless given.'),
  to: Timestamp.optional().describe('Executions that ended before this time; the beginning of today (UTC) unless given.'),
} as const

const packed = z.strictObject({
  ...Period,
  executions: z
    .string()
    .max(4_000)
    .regex(/^exec_[0-9a-z]{26}(?:,exec_[0-9a-z]{26})*$/, { error: 'Must be ids of executions, separated by commas.' })
    .optional()
    .describe(`Ids of executions, separated by commas; at most ${packExecutionsMax.named}. Instead of a period.`),
})

const packSelection = operation({
  ...audits,
  id: 'archivist.packSelection',
  method: 'GET',
  path: '/api/v1/archivist/evidence-pack/selection',
  flag: 'isgovernedtyEvidenceEnabled',
  summary: 'Count what an evidence pack would have',
  description: 'Takes the selection of `archivist.pack` and makes nothing: whether it has any execution, and whether it is too large.',
  transaction: 'own',
  query: packed,
  reply: z
    .object({
      from: z.iso.datetime().nullable().describe('The begin of the period; null for named executions.'),
      to: z.iso.datetime().nullable().describe('The end of the period; null for named executions.'),
      executions: z
        .int()
        .describe(`Executions that have ended, of which the pack would have receipts; at most ${packExecutionsMax.ofPeriod} are counted.`),
      isTooLarge: z.boolean().describe('Whether more executions ended than a pack has. No pack is made of the selection.'),
      missing: z.array(typeId('exec')).describe('Named executions that do not exist or have not ended, and would have no receipt.'),
    })
    .meta({ id: 'EvidencePackSelection' }),
  errors: ['request_invalid'],
})

const Pack = z
  .object({
    id: typeId('pack'),
    state: z.enum(['preparing', 'ready', 'failed']),
    failure: z.string().nullable().describe('Why it failed. A repetition of the request starts again.'),
    progress: z.object({
      done: z.int().describe('Executions that are in the file.'),
      total: z.int().nullable().describe('Null until they are counted.'),
    }),
    bytes: z.int().nullable(),
    sha256: z.string().nullable().describe('Of the file, as hexadecimal digits.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the file is deleted.'),
  })
  .meta({ id: 'EvidencePackFile' })

const pack = operation({
  ...audits,
  id: 'archivist.pack',
  method: 'GET',
  path: '/api/v1/archivist/evidence-pack',
  flag: 'isgovernedtyEvidenceEnabled',
  summary: 'Make and download an evidence pack',
  description: `A ZIP file for an auditor: receipts, journals and definitions of executions, the audit logs of their days, public keys, a report, and a page that verifies all of it in a browser without network (BagIt, RFC 8493). The first request starts the work in the background; repeat it until \`state\` is \`ready\`. Select the executions of a period (at most ${packExecutionsMax.ofPeriod}) or name them. The same selection returns the same pack for a day.`,
  transaction: 'own',
  query: packed,
  reply: Pack.extend({
    download: z
      .object({ url: z.string().describe('Path of the file. It works once and needs no credential.'), expiresAt: z.iso.datetime() })
      .nullable()
      .describe('Present when the pack is ready; each request makes a new link.'),
  }).meta({ id: 'EvidencePack' }),
  errors: ['request_invalid', 'quota_exceeded'],
})

const packs = operation({
  ...audits,
  id: 'archivist.packs',
  method: 'GET',
  path: '/api/v1/archivist/evidence-packs',
  flag: 'isgovernedtyEvidenceEnabled',
  summary: 'List evidence packs',
  description: 'The packs of the last day, newest first. To get the file of one, request `archivist.pack` with its selection.',
  reply: z.object({
    data: z.array(
      Pack.extend({
        selection: z
          .object({
            from: z.iso.datetime().nullable(),
            to: z.iso.datetime().nullable(),
            executions: z.array(typeId('exec')).nullable().describe('Named executions. Null for a period.'),
          })
          .describe('A period, or named executions.'),
      }).meta({ id: 'ListedEvidencePack' }),
    ),
  }),
  errors: [],
})

const content = operation({
  ...base,
  auth: 'public',
  audit: 'archivist.pack_downloaded',
  id: 'archivist.packContent',
  method: 'GET',
  path: '/api/v1/archivist/evidence-pack/{token}/content',
  flag: 'isgovernedtyEvidenceEnabled',
  summary: 'Download an evidence pack',
  description:
    'The link is in the response of `archivist.pack`. It works once. To resume a download that broke off, request the pack again and ask its new link for the rest (`Range`): the file is the same.',
  media: 'application/zip',
  requestHeaders: ['Range', 'If-Range'],
  replyHeaders: ['Accept-Ranges', 'ETag'],
  params: z.object({ token: z.string() }),
  reply: z.string().describe('The bytes of the ZIP file.'),
  errors: ['not_found'],
})

const Count = z.object({ name: z.string(), count: z.int() })

const analytics = operation({
  ...audits,
  id: 'archivist.analytics',
  method: 'GET',
  path: '/api/v1/archivist/analytics',
  summary: 'Measure the evidence of a period',
  description:
    'How much of what happened is in the audit log, whether the log verifies, which approvals were given, what was done about personal data, and which executions did not complete. The period has at most 92 days.',
  transaction: 'own',
  query: z.strictObject(Period),
  reply: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    coverage: z.object({
      events: z.int().describe('Events of the audit log.'),
      logged: z.int().describe('Events that have a leaf in the log.'),
      executions: z.int().describe('Executions that ended.'),
      executionsWithDigests: z.int().describe('Ended executions whose input and output digests are in the log.'),
    }),
    verification: z.object({
      verified: z.boolean().describe('Whether the log of the checked days matches.'),
      days: z.int(),
      leaves: z.int(),
      findings: z.int(),
      continueFrom: z.string().nullable().describe('The first day that was not checked, if there were too many.'),
    }),
    executions: z.array(Count).describe('Ended executions by state.'),
    approvals: z.array(Count).describe('Events of approvals.'),
    redactions: z.array(Count).describe('Decisions about personal data by what was done, such as `redacted` and `blocked`.'),
    exceptions: z.array(Count).describe('Executions that faulted or were cancelled, refused sign-ins, and other refusals.'),
    days: z
      .array(z.object({ date: z.string(), events: z.int(), executions: z.int(), exceptions: z.int() }))
      .describe('Days with events, in order.'),
  }),
  errors: ['request_invalid'],
})

const Kinds = z.record(z.string(), z.int()).describe('Findings by kind.')

const piiSummary = operation({
  ...audits,
  id: 'archivist.piiSummary',
  method: 'GET',
  path: '/api/v1/archivist/pii-summary',
  summary: 'Summarize which personal data runs through which workflows',
  description:
    'From the decisions of privacy policies, and from a scan of the latest 40 executions of the period: inputs, outputs and the journalled results of tasks. With the policies that state purpose, legal basis and retention.',
  transaction: 'own',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(92).default(30).describe('The period: so many days until now.') }),
  reply: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    scanned: z.object({ executions: z.int(), isComplete: z.boolean().describe('Whether these are all of the period.') }),
    retentionDays: z.int().nullable().describe('For how long the account keeps ended executions; null: as long as the installation.'),
    workflows: z.array(
      z
        .object({
          workflowId: typeId('wf'),
          kinds: z.array(z.string()),
          executions: z.int().describe('Executions that were scanned.'),
          input: Kinds,
          output: Kinds,
          tasks: z.array(z.object({ task: z.string().describe('JSON Pointer of the task in the definition.'), counts: Kinds })),
          decisions: Kinds.describe('Findings of policies in the period.'),
          policies: z
            .array(
              z.object({
                id: typeId('prp'),
                point: z.enum(privacyPoints),
                action: z.string(),
                purpose: z.string(),
                legalBasis: z.string(),
                retention: z.string().nullable(),
              }),
            )
            .describe('The policies that apply, at most one for each point. None: no policy states why this data is processed.'),
        })
        .meta({ id: 'WorkflowPersonalData' }),
    ),
  }),
  errors: [],
})

/** Evidence of executions: replays, receipts, packs and figures. */
export const archivist = { replay, receipt, packSelection, packs, pack, packContent: content, analytics, piiSummary } as const
