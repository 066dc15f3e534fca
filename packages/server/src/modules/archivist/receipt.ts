import { sign } from 'node:crypto'
import type { JsonValue } from '@millrace/contract'
import { differencesFromLog } from '@millrace/contract/transparency'
import { type JournalEntry, membersOf, type Verdict } from '@millrace/engine'
import type { StoredExecution } from '@millrace/engine/storage'
import { digestOf, digestOfJson, type InclusionProof, type SigningEvidenceKey } from '#modules/audit/index.ts'
import type { Decision } from '#modules/privacy/index.ts'
import { entryOf, timeOf } from './journal-entry.ts'
import type { Remains } from './remains.ts'
import { toTypeId } from '#platform/ids.ts'

/** Everything that a receipt states. */
export interface ReceiptSource {
  readonly execution: StoredExecution
  readonly journal: readonly JournalEntry[]
  readonly definition: { readonly checksum: string; readonly documentVersion: string } | undefined
  readonly startedBy: readonly string[]
  readonly approvals: readonly ApprovalEvidence[]
  /** What privacy policies decided about its data. */
  readonly decisions: readonly Decision[]
  readonly audit: InclusionProof | undefined
  readonly verdict: Verdict
  /** Given if data of a person was erased in the execution. */
  readonly erased: Remains | undefined
  readonly issuedAt: Date
}

/** An approval of the execution with its decisions. */
export interface ApprovalEvidence {
  readonly id: string
  readonly state: string
  readonly openedAt: Date
  readonly endedAt: Date | undefined
  readonly decisions: readonly { readonly by: string; readonly decision: string; readonly at: Date }[]
}

export interface Envelope {
  readonly payload: string
  readonly payloadType: typeof payloadType
  readonly signatures: { readonly keyid: string; readonly sig: string }[]
}

const payloadType = 'application/vnd.in-toto+json'

/** The type of what a receipt states; docs/evidence.md describes it. */
const predicateType = 'urn:millrace:execution-receipt:v1'

/** An in-toto Statement v1 about an ended execution. Its subject is the journal. */
export function statementOf(source: ReceiptSource): { readonly statement: JsonValue; readonly differences: readonly string[] } {
  const { execution, journal, definition, audit, verdict } = source
  const journalDigest = digestOf(journal.map(entryOf))
  const stated = {
    execution: {
      id: toTypeId('exec', execution.id),
      state: execution.state,
      trigger: execution.trigger,
      startedBy: [...source.startedBy],
      createdAt: execution.createdAt.toISOString(),
      startedAt: execution.startedAt?.toISOString() ?? null,
      endedAt: execution.endedAt?.toISOString() ?? null,
      retryOf: execution.retryOf === undefined ? null : toTypeId('exec', execution.retryOf),
    },
    definition: {
      workflow: toTypeId('wf', execution.workflowId),
      version: toTypeId('wfv', execution.versionId),
      number: execution.version,
      documentVersion: definition?.documentVersion ?? null,
      digest: definition === undefined ? null : `sha256:${definition.checksum}`,
    },
    input: { digest: digestOfJson(execution.input) },
    output: execution.output === undefined ? null : { digest: digestOfJson(execution.output) },
  }
  const differences = audit === undefined ? [] : differencesFromLog(stated, audit.entry)
  const predicate = {
    ...stated,
    error: execution.error === undefined ? null : { type: execution.error.type, digest: digestOfJson(JSON.stringify(execution.error)) },
    journal: { entries: journal.length, digest: journalDigest },
    effects: journal.filter(({ phase }) => phase === 'ended').map(effectOf),
    models: journal.flatMap(modelCallOf),
    approvals: source.approvals.map(approvalOf),
    policyDecisions: source.decisions.map(policyDecisionOf),
    replay: { verified: verdict.difference === undefined, difference: verdict.difference?.part ?? null },
    ...(source.erased === undefined ? {} : { erasure: erasureOf(source.erased) }),
    audit: audit === undefined ? null : { ...audit, path: [...audit.path], entry: { ...audit.entry }, differences: [...differences] },
    issuedAt: source.issuedAt.toISOString(),
  }
  const subject = [{ name: toTypeId('exec', execution.id), digest: { sha256: journalDigest.slice('sha256:'.length) } }]
  return { statement: { _type: 'https://in-toto.io/Statement/v1', subject, predicateType, predicate }, differences }
}

function erasureOf({ erasureId, at, remains, differences }: Remains): JsonValue {
  return { id: toTypeId('era', erasureId), at: at.toISOString(), remains, differences: [...differences] }
}

function effectOf({ seq, position, kind, ok, value, startedAtMs, endedAtMs }: JournalEntry): JsonValue {
  return { seq, position, kind, ok, digest: digestOf(value), startedAt: timeOf(startedAtMs), endedAt: timeOf(endedAtMs) }
}

/** A call of a model as its journalled outcome states it. Outcomes from before the digests have no prompt. */
function modelCallOf({ seq, position, phase, ok, kind, value }: JournalEntry): JsonValue[] {
  if (phase !== 'ended' || !ok || !isModelCall(kind)) return []
  const { model, modelId, promptDigest, message, text, usage } = membersOf(value)
  // A turn of an agent that ends at a limit asks no model.
  if (model === undefined) return []
  const call = { seq, position, function: kind, model, modelId: modelId ?? null, promptDigest: promptDigest ?? null }
  return [{ ...call, answerDigest: digestOf(message ?? text ?? null), usage: usage ?? null }]
}

function isModelCall(kind: string): boolean {
  return /^(?:model|agent-turn)(?::|$)/.test(kind)
}

function approvalOf({ id, state, openedAt, endedAt, decisions }: ApprovalEvidence): JsonValue {
  return {
    id,
    state,
    openedAt: openedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    decisions: decisions.map(({ by, decision, at }) => ({ by, decision, at: at.toISOString() })),
  }
}

/** Kinds and counts of personal data, never the data. */
function policyDecisionOf({ id, at, source, action, purpose, counts }: Decision): JsonValue {
  return { id: toTypeId('prd', id), at: at.toISOString(), source, action, purpose: purpose ?? null, counts: { ...counts } }
}

/** Signs a statement. Source: https://github.com/secure-systems-lab/dsse/blob/master/protocol.md */
export function signStatement(statement: JsonValue, key: SigningEvidenceKey): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  const sig = sign('sha256', message, key.privateKey).toString('base64')
  return { payload: payload.toString('base64'), payloadType, signatures: [{ keyid: key.keyId, sig }] }
}
