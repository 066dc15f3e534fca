import { Fault, type JsonValue } from '@millrace/contract'
import { LABEL_VALUE_MAX, type Outcome, type Receiver, type Reception, standardError, WorkflowError } from '@millrace/engine'
import type { GovernedValue, PolicyGuard } from '#modules/privacy/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { governedError } from './governed-functions.ts'

/** Members that say what happened and when: an execution needs them as they are, and they name no person by more than an id. */
const identifying: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['events', new Set(['specversion', 'id', 'source', 'type', 'time', 'datacontenttype', 'dataschema'])],
  ['approve', new Set(['approved', 'outcome', 'approval', 'decidedAt', 'user', 'role', 'decision', 'at', 'via'])],
])

/** Applies the privacy policies to what executions get without a function: events, answers of approvals, outcomes and inputs of child executions. */
export function createReception({
  policiesFor,
  govern,
  admitInput,
}: Pick<PolicyGuard, 'policiesFor' | 'govern' | 'admitInput'>): Reception {
  async function examine(of: GovernedValue, policies: Awaited<ReturnType<typeof policiesFor>>, source: string, outcome: Outcome) {
    const { journal, logs } = policies
    if (!outcome.ok) {
      const error = await governedError(new WorkflowError(outcome.error), of, logs ?? journal, govern)
      return error instanceof WorkflowError ? { ...outcome, error: error.data } : outcome
    }
    const kept = identifying.get(source) ?? new Set()
    const governed = await govern(journal, of, examinedPart(outcome.value, kept))
    if (governed.blocked) return refusal(`${governed.reason} What the task received was not kept.`)
    return { ok: true, value: restored(governed.value, outcome.value, kept) } as const
  }

  return {
    async receive(receiver, source, outcome) {
      // A failure to read the policies is not one of the execution: it is recovered, and receives the value again.
      const policies = await policiesFor(receiver.accountId, receiver.workflowId)
      if (policies.journal === undefined && policies.logs === undefined) return outcome
      try {
        return await examine(governedOf(receiver), policies, source, outcome)
      } catch {
        return { ok: false, error: standardError('runtime', 'What the task received could not be examined for personal data.').data }
      }
    },
    async passLabels(receiver, labels) {
      const { input } = await policiesFor(receiver.accountId, receiver.workflowId)
      if (input === undefined) return labels
      const texts = labels.map((label) => ('value' in label ? label.value : label.problem))
      const governed = await govern(input, governedOf(receiver), texts)
      if (governed.blocked) return labels.map(({ name }) => ({ name, problem: governed.reason }))
      const kept = Array.isArray(governed.value) ? governed.value : []
      return labels.map(({ name, ...label }, index) => {
        // What replaces personal data may be longer.
        const text = `${kept[index] ?? ''}`.slice(0, LABEL_VALUE_MAX).toWellFormed()
        return 'value' in label ? { name, value: text } : { name, problem: text }
      })
    },
    async passInput(parent, child, input) {
      try {
        return await admitInput({ ...governedOf(child), workflowId: child.workflowId, actor: governedOf(parent).actor, input })
      } catch (error) {
        throw error instanceof Fault ? standardError('authorization', error.message) : error
      }
    },
  }
}

function governedOf({ accountId, workflowId, executionId }: Receiver): GovernedValue & { readonly actor: string } {
  const execution = `execution:${toTypeId('exec', executionId)}`
  return { accountId, workflowId, actor: execution, target: execution }
}

function refusal(detail: string): Outcome {
  return { ok: false, error: standardError('authorization', detail).data }
}

/** The value without the members that are kept. */
function examinedPart(value: JsonValue, kept: ReadonlySet<string>): JsonValue {
  if (kept.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => examinedPart(item, kept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      kept.has(name) ? [] : [[name, isForeign(name) ? (member ?? null) : examinedPart(member ?? null, kept)]],
    ),
  )
}

/** The examined value with the members that were kept, in their order. */
function restored(examined: JsonValue, value: JsonValue, kept: ReadonlySet<string>): JsonValue {
  if (kept.size === 0) return examined
  if (Array.isArray(value))
    return value.map((item, index) => restored(Array.isArray(examined) ? (examined[index] ?? null) : null, item, kept))
  if (typeof value !== 'object' || value === null) return examined
  const members: Readonly<Record<string, JsonValue | undefined>> = isMembers(examined) ? examined : {}
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (kept.has(name)) return [name, member ?? null]
      return [name, isForeign(name) ? (members[name] ?? null) : restored(members[name] ?? null, member ?? null, kept)]
    }),
  )
}

/** What others put into a message: its members have no meaning for us. */
const isForeign = (name: string): boolean => name === 'data' || name === 'details'

function isMembers(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
