import { Fault, type JsonValue } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { Completion, CompletionRequest, ModelMessage, Models } from '#modules/models/index.ts'

/** What the calls of one request used. */
export interface Usage {
  readonly model: string
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The check of a result: accepted as a value, or returned to the model with findings. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly findings: string
      readonly extensions?: Readonly<Record<string, JsonValue>>
      /** What the next result is to be; the same form again unless given. */
      readonly advice?: string
      /** Whether the next results may refer to this one: the model then sees it until another takes its place. */
      readonly isReferred?: boolean
    }

export interface RepairRequest<T> extends Pick<CompletionRequest, 'accountId' | 'role' | 'signal'> {
  readonly system: string
  readonly user: string
  readonly schema: NonNullable<CompletionRequest['schema']>
  /** @param last whether the model gets no further chance. */
  readonly check: (data: Json, last: boolean) => Promise<Checked<T>>
}

export interface Repaired<T> {
  readonly value: T
  readonly repairs: number
  readonly usage: Usage
}

const repairsMax = 3

/** Asks a model for JSON until the check accepts it, at most four times. Fault `model_output_invalid` with the last findings. */
export async function completeChecked<T>(models: Pick<Models, 'complete'>, request: RepairRequest<T>): Promise<Repaired<T>> {
  const { accountId, role, signal, schema } = request
  const asked: readonly ModelMessage[] = [
    { role: 'system', text: request.system },
    { role: 'user', text: request.user },
  ]
  let messages = asked
  let referred: readonly ModelMessage[] = []
  let usage: Usage = { model: '', calls: 0, inputTokens: 0, outputTokens: 0 }
  let rejected: Extract<Checked<T>, { readonly ok: false }> | undefined
  for (let repairs = 0; repairs <= repairsMax; repairs++) {
    const completion = await models.complete({ accountId, role, messages, schema, temperature: 0, signal })
    usage = sum(usage, completion)
    const checked = await checkOf(completion, repairs === repairsMax, request.check)
    if (checked.ok) return { value: checked.value, repairs, usage }
    rejected = checked
    // Only the last attempt is repeated to the model, and the one that it refers to: others cost tokens and teach nothing.
    const exchange = exchangeOf(completion, checked)
    messages = checked.isReferred === true ? [...asked, ...exchange] : [...asked, ...referred, ...exchange]
    if (checked.isReferred === true) referred = exchange
  }
  const detail = `The model gave no usable result in ${repairsMax + 1} attempts. ${rejected?.findings.slice(0, 1000) ?? ''}`
  throw new Fault('model_output_invalid', { detail, extensions: { ...rejected?.extensions, usage: { ...usage } } })
}

const excerptMax = 100_000
const sameForm = 'Correct it, and return the whole result again.'

function exchangeOf(
  { text }: Completion,
  { findings, advice = sameForm }: Extract<Checked<unknown>, { readonly ok: false }>,
): readonly ModelMessage[] {
  const answer = `Your result cannot be used:\n${findings}\n\n${advice} Return JSON of the same form.`
  return [
    { role: 'assistant', text: text.slice(0, excerptMax) },
    { role: 'user', text: answer },
  ]
}

async function checkOf<T>({ data, finish }: Completion, last: boolean, check: RepairRequest<T>['check']): Promise<Checked<T>> {
  if (data !== undefined) return check(data, last)
  const reason = finish === 'length' ? 'It was longer than the model may write. Be shorter.' : 'It is not a JSON object.'
  return { ok: false, findings: reason }
}

function sum(usage: Usage, { model, usage: more }: Completion): Usage {
  return {
    model,
    calls: usage.calls + 1,
    inputTokens: usage.inputTokens + more.inputTokens,
    outputTokens: usage.outputTokens + more.outputTokens,
  }
}
