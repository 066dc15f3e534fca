import { Fault, type PersonalDataKind } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { type Decision, insertDecision, listDecisions, type DecisionFilter, sumDecisions } from './decision-store.ts'
import { patternFault } from './detect/custom-rules.ts'
import { detect, type DetectOptions } from './detect/detector.ts'
import type { Finding } from './detect/finding.ts'
import { listPolicies, lockPolicy, type Policy, putPolicy } from './policy-store.ts'
import { type Redaction, redactText, redactionKeys, restoreText } from './redact.ts'

export interface PrivacyDeps {
  readonly secretKey: Uint8Array
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
  readonly hasWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<boolean>
}

export interface Examination {
  readonly text: string
  readonly options: DetectOptions
  readonly purpose: string | undefined
  /** As `kind:id`. */
  readonly actor: string
}

export interface Examined {
  readonly findings: readonly Finding[]
  readonly counts: Readonly<Record<string, number>>
  readonly decisionId: string
}

const dayMs = 24 * 60 * 60 * 1000
const periodDaysMax = 366
const periodDaysDefault = 30

export type Privacy = ReturnType<typeof createPrivacy>

/** Finds and redacts personal data in texts, keeps policies, and logs decisions without the data. */
export function createPrivacy(deps: PrivacyDeps) {
  const { secretKey, now, newId, randomBytes, hasWorkflow } = deps

  async function log(tx: Tx, accountId: string, decision: Omit<Decision, 'id' | 'at'>): Promise<string> {
    const id = newId()
    await insertDecision(tx, accountId, { ...decision, id, at: new Date(now()) })
    return id
  }

  async function examine(tx: Tx, accountId: string, examination: Examination, source: 'check' | 'redact'): Promise<Examined> {
    const { text, options, purpose, actor } = examination
    assertRules(options)
    const findings = detect(text, options)
    const counts = countsOf(findings)
    const found = source === 'check' ? 'detected' : 'redacted'
    const action = findings.length === 0 ? 'none' : found
    const decision = { source, action, actor, workflowId: undefined, target: undefined, purpose, reason: undefined } as const
    return { findings, counts, decisionId: await log(tx, accountId, { ...decision, counts, characters: text.length }) }
  }

  return {
    check: (tx: Tx, accountId: string, examination: Examination) => examine(tx, accountId, examination, 'check'),

    async redact(tx: Tx, accountId: string, examination: Examination, redaction: Redaction, key: string | undefined) {
      const keys = redactionKeys(secretKey, accountId, keyOf(key), randomBytes)
      const examined = await examine(tx, accountId, examination, 'redact')
      return { ...examined, text: redactText(examination.text, examined.findings, { ...redaction, keys }) }
    },

    restore(accountId: string, text: string, key: string | undefined) {
      const { box } = redactionKeys(secretKey, accountId, keyOf(key), randomBytes)
      const restored = restoreText(text, box)
      if (restored === undefined)
        throw new Fault('request_invalid', {
          errors: [{ pointer: '/key', detail: 'The text has a token that was made under another key, or was changed.' }],
        })
      return restored
    },

    logs: (tx: Tx, accountId: string, filter: DecisionFilter) => listDecisions(tx, accountId, filter),

    async stats(tx: Tx, accountId: string, asked: { readonly from: string | undefined; readonly to: string | undefined }) {
      const to = asked.to === undefined ? new Date(now()) : new Date(asked.to)
      const from = asked.from === undefined ? new Date(to.getTime() - periodDaysDefault * dayMs) : new Date(asked.from)
      if (from >= to) throw invalidPeriod(`Must be before ${to.toISOString()}, the end of the period.`)
      if (to.getTime() - from.getTime() > periodDaysMax * dayMs) throw invalidPeriod(`The period must have at most ${periodDaysMax} days.`)
      return { from, to, figures: await sumDecisions(tx, accountId, from, to) }
    },

    policies: (tx: Tx, accountId: string, limit: number, before: string | undefined) => listPolicies(tx, accountId, limit, before),

    async putPolicy(
      tx: Tx,
      accountId: string,
      wanted: Omit<Policy, 'id' | 'revision' | 'updatedAt'>,
      { actor, ifMatch }: { readonly actor: string; readonly ifMatch: readonly number[] | undefined },
    ): Promise<{ readonly policy: Policy; readonly before: Policy | undefined }> {
      const { workflowId } = wanted
      if (workflowId !== undefined && !(await hasWorkflow(tx, accountId, workflowId)))
        throw new Fault('request_invalid', { errors: [{ pointer: '/workflowId', detail: 'There is no such workflow.' }] })
      const before = await lockPolicy(tx, accountId, wanted)
      if (before !== undefined) assertRevision('policy', before.revision, ifMatch)
      const policy = await putPolicy(tx, accountId, { ...wanted, id: before?.id ?? newId(), updatedAt: new Date(now()) }, actor)
      return { policy, before }
    },
  }
}

function countsOf(findings: readonly Finding[]): Record<string, number> {
  const counts: Partial<Record<PersonalDataKind, number>> = {}
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function assertRules({ rules = [] }: DetectOptions): void {
  const errors = rules.flatMap(({ pattern }, index) => {
    const detail = patternFault(pattern)
    return detail === undefined ? [] : [{ pointer: `/rules/${index}/pattern`, detail }]
  })
  if (errors.length > 0) throw new Fault('request_invalid', { errors })
}

function keyOf(key: string | undefined): Buffer | undefined {
  if (key === undefined) return undefined
  const bytes = Buffer.from(key.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
  if (bytes.length === 32) return bytes
  throw new Fault('request_invalid', { errors: [{ pointer: '/key', detail: 'Must be 32 bytes in base64.' }] })
}

function invalidPeriod(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '/from', detail, in: 'query' }] })
}
