import { taskReference } from '@millrace/engine'
import type { ExecutionReader } from '@millrace/engine/storage'
import type { JsonValue } from '@millrace/contract'
import type { AuditReading } from '#modules/audit/index.ts'
import { inspectJson, listPolicies, type Policy, sumByWorkflow } from '#modules/privacy/index.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'

export interface PiiSummaryDeps {
  readonly database: Pick<Database, 'account'>
  readonly audit: Pick<AuditReading, 'latestExecutions'>
  readonly reader: Pick<ExecutionReader, 'executions' | 'journal'>
  readonly now: () => number
  /** For how long an account keeps ended executions, in milliseconds. */
  readonly retentionMs: (accountId: string) => Promise<number | undefined>
}

const dayMs = 24 * 60 * 60 * 1000
const scannedMax = 40
const entriesMax = 50
const entryCharactersMax = 20_000
const policiesMax = 1_000
const minScore = 0.6

type Counts = Record<string, number>

interface WorkflowFindings {
  readonly input: Counts
  readonly output: Counts
  readonly tasks: Map<string, Counts>
  readonly decisions: Counts
  executions: number
}

/** Which kinds of personal data run through which workflows and tasks: from decisions of policies, and from a scan of the latest executions. */
export async function piiSummary(deps: PiiSummaryDeps, accountId: string, days: number) {
  const { database, audit, now } = deps
  const to = new Date(now())
  const from = new Date(to.getTime() - days * dayMs)
  const { decisions, policies } = await database.account(accountId, async (tx) => ({
    decisions: await sumByWorkflow(tx, accountId, from),
    policies: await listPolicies(tx, accountId, policiesMax, undefined),
  }))
  const byWorkflow = new Map<string, WorkflowFindings>()
  const of = (workflowId: string): WorkflowFindings => {
    const known = byWorkflow.get(workflowId) ?? { input: {}, output: {}, tasks: new Map(), decisions: {}, executions: 0 }
    byWorkflow.set(workflowId, known)
    return known
  }
  for (const { workflowId, kind, total } of decisions) addCounts(of(workflowId).decisions, { [kind]: total })
  const ids = await audit.latestExecutions(accountId, from, to, scannedMax + 1)
  let scanned = 0
  for (const id of ids.slice(0, scannedMax)) if (await scan(deps, { accountId, id }, of)) scanned += 1
  const retentionMs = await deps.retentionMs(accountId)
  const retentionDays = retentionMs === undefined ? null : Math.ceil(retentionMs / dayMs)
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    scanned: { executions: scanned, isComplete: ids.length <= scannedMax },
    retentionDays,
    workflows: [...byWorkflow].map(([workflowId, findings]) => workflowView(workflowId, findings, policies)),
  }
}

async function scan(
  { reader }: PiiSummaryDeps,
  key: { readonly accountId: string; readonly id: string },
  of: (workflowId: string) => WorkflowFindings,
): Promise<boolean> {
  const [execution] = await reader.executions([key])
  if (execution === undefined) return false
  const findings = of(execution.workflowId)
  findings.executions += 1
  addCounts(findings.input, await countsIn(execution.input))
  if (execution.output !== undefined) addCounts(findings.output, await countsIn(execution.output))
  for (const entry of (await reader.journal(key)).slice(0, entriesMax)) {
    const counts = await countsIn(JSON.stringify(entry))
    if (Object.keys(counts).length === 0) continue
    const task = taskReference(entry.position)
    const known = findings.tasks.get(task) ?? {}
    findings.tasks.set(task, known)
    addCounts(known, counts)
  }
  return true
}

async function countsIn(json: string): Promise<Readonly<Counts>> {
  if (json.length > entryCharactersMax) return (await inspectJson(json.slice(0, entryCharactersMax), { minScore })).counts
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The text was made by `JSON.stringify`.
  return (await inspectJson(JSON.parse(json) as JsonValue, { minScore })).counts
}

/** Adds the findings of each kind. */
export function addCounts(to: Counts, counts: Readonly<Counts>): void {
  for (const [kind, count] of Object.entries(counts)) to[kind] = (to[kind] ?? 0) + count
}

function workflowView(workflowId: string, { input, output, tasks, decisions, executions }: WorkflowFindings, policies: readonly Policy[]) {
  const enabled = policies.filter((policy) => policy.enabled && (policy.workflowId === workflowId || policy.workflowId === undefined))
  const applying = enabled.filter(
    ({ point, workflowId: own }) => own !== undefined || !enabled.some((other) => other.point === point && other.workflowId !== undefined),
  )
  const kinds = new Set([input, output, decisions, ...tasks.values()].flatMap((counts) => Object.keys(counts)))
  return {
    workflowId: toTypeId('wf', workflowId),
    kinds: [...kinds].toSorted(),
    executions,
    input,
    output,
    tasks: [...tasks].map(([task, counts]) => ({ task, counts })),
    decisions,
    policies: applying.map(({ id, point, action, purpose, legalBasis, retention }) => ({
      id: toTypeId('prp', id),
      point,
      action,
      purpose,
      legalBasis,
      retention: retention ?? null,
    })),
  }
}
