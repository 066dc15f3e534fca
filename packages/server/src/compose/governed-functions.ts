import type { JsonValue } from '@millrace/contract'
import { type EffectCall, type EffectFunction, type ErrorData, standardError, WorkflowError } from '@millrace/engine'
import type { GovernedValue, Policy, PolicyGuard } from '#modules/privacy/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { whenAvailable } from './when-available.ts'

/** Settings of the account, which were written to be used. */
const ungoverned: ReadonlySet<string> = new Set(['variables'])

const withheld = 'The privacy policy withholds this message.'

/**
 * Functions whose outcomes are as the privacy policies leave them, before the engine gets them: the journal, the rest of the execution and every
 * replay have the same redacted value. What fails since the database is away or busy is done again, as after a crash of the process.
 */
export function governFunctions(
  functions: { get(name: string): EffectFunction | undefined },
  guard: Pick<PolicyGuard, 'policiesFor' | 'govern'>,
): { get(name: string): EffectFunction | undefined } {
  return {
    get(name) {
      const perform = functions.get(name)
      if (perform === undefined) return undefined
      const repeated: EffectFunction = (call) => whenAvailable(call.signal, () => perform(call))
      return ungoverned.has(name) ? repeated : (call) => performGoverned(repeated, call, guard)
    },
  }
}

async function performGoverned(
  perform: EffectFunction,
  call: EffectCall,
  { policiesFor, govern }: Pick<PolicyGuard, 'policiesFor' | 'govern'>,
): ReturnType<EffectFunction> {
  const { accountId, workflowId, executionId } = call
  // Before the effect: without the policies it must not happen.
  const { journal, logs } = await whenAvailable(call.signal, () => policiesFor(accountId, workflowId))
  if (journal === undefined && logs === undefined) return perform(call)
  const execution = `execution:${toTypeId('exec', executionId)}`
  const of: GovernedValue = { accountId, workflowId, actor: execution, target: execution }
  const outcome = await perform(call).catch(async (error: unknown) => {
    throw call.signal.aborted ? error : await whenAvailable(call.signal, () => governedError(error, of, logs ?? journal, govern))
  })
  const governed = await whenAvailable(call.signal, () => govern(journal, of, outcome))
  if (governed.blocked) throw standardError('authorization', `${governed.reason} The task was performed, and its result was not kept.`)
  return governed.value
}

/** An error whose texts are as the policy leaves them. Without a policy for messages that of the journal applies, since errors are journalled too. */
export async function governedError(
  error: unknown,
  of: GovernedValue,
  policy: Policy | undefined,
  govern: PolicyGuard['govern'],
): Promise<unknown> {
  if (!(error instanceof Error)) return error
  const texts = error instanceof WorkflowError ? textsOf(error.data) : { message: error.message, stack: error.stack ?? '' }
  const governed = await govern(policy, of, texts)
  const kept = governed.blocked ? undefined : membersOf(governed.value)
  if (error instanceof WorkflowError) {
    const data = { ...error.data, ...(kept ?? { title: error.data.type, detail: withheld }) }
    return new WorkflowError(data, { retryAfterMs: error.retryAfterMs })
  }
  // An unexpected error is logged by the server. Its other properties may contain data in any form and are dropped.
  const shown = new Error(kept?.['message'] ?? withheld)
  shown.name = error.name
  shown.stack = kept?.['stack'] ?? `${error.name}: ${withheld}`
  return shown
}

function textsOf({ title, detail }: ErrorData): JsonValue {
  return { title, ...(detail === undefined ? {} : { detail }) }
}

function membersOf(value: JsonValue): Readonly<Record<string, string>> {
  const entries = Object.entries(value ?? {})
  return Object.fromEntries(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])))
}
