import { Fault, type JsonValue } from '@millrace/contract'
import type { ExecutionSnapshot } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import type { ReadExecution } from './erased.ts'

/** An execution whose output a caller is to get. */
export interface DisclosedExecution {
  readonly accountId: string
  readonly workflowId: string
  readonly id: string
}

/** Applies the privacy policy for outputs; the value is asked for only if there is one. */
export type DiscloseOutput = (
  of: { readonly accountId: string; readonly workflowId: string; readonly actor: string; readonly target: string },
  value: () => JsonValue,
) => Promise<
  | { readonly blocked: true; readonly reason: string }
  | { readonly blocked: false; readonly isChanged: false }
  | { readonly blocked: false; readonly isChanged: true; readonly value: JsonValue }
>

/** An execution as callers see it. */
export interface ShownExecution extends ReadExecution {
  /** Why its output or its answer is not shown. */
  readonly withheld?: string
  readonly isRedacted?: boolean
}

/** The output and the answer of a stored execution as its policy leaves them. */
export async function shownExecution(disclose: DiscloseOutput, accountId: string, execution: ReadExecution): Promise<ShownExecution> {
  let shown: ShownExecution = execution
  for (const name of ['output', 'reply'] as const) {
    const text = execution[name]
    if (text === undefined) continue
    const { id, workflowId } = execution
    const disclosed = await disclose(subjectOf({ accountId, workflowId, id }), () => parsed(text))
    if (disclosed.blocked) shown = { ...shown, [name]: undefined, withheld: disclosed.reason }
    else if (disclosed.isChanged) shown = { ...shown, [name]: JSON.stringify(disclosed.value), isRedacted: true }
  }
  return shown
}

/** The same for the caller that waits for an end. Fault `personal_data_blocked`. */
export async function shownSnapshot(
  disclose: DiscloseOutput,
  of: Omit<DisclosedExecution, 'id'>,
  snapshot: ExecutionSnapshot,
): Promise<ExecutionSnapshot> {
  const subject = subjectOf({ ...of, id: snapshot.id })
  const show = async (value: JsonValue): Promise<JsonValue> => {
    const disclosed = await disclose(subject, () => value)
    if (disclosed.blocked)
      throw new Fault('personal_data_blocked', {
        detail: `${disclosed.reason} The execution ${toTypeId('exec', snapshot.id)} is ${snapshot.state}.`,
      })
    return disclosed.isChanged ? disclosed.value : value
  }
  const { reply, output } = snapshot
  return {
    ...snapshot,
    reply: reply === undefined ? undefined : { body: await show(reply.body) },
    output: output === undefined ? undefined : await show(output),
  }
}

function subjectOf({ accountId, workflowId, id }: DisclosedExecution) {
  const execution = `execution:${toTypeId('exec', id)}`
  return { accountId, workflowId, actor: execution, target: execution }
}

function parsed(text: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json contains valid JSON.
  return JSON.parse(text) as JsonValue
}
