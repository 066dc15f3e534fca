import { Fault, type ModelCallFailure, type ModelFinish } from '@millrace/contract'
import { digestOfJson } from '#modules/audit/index.ts'
import { failureOf } from '#modules/models/failure.ts'
import type { Completion, CompletionRequest, ModelEndpoint, ModelUsage } from '#modules/models/model.ts'
import { promptTextOf } from '#modules/models/provider.ts'

/** How one request to one model ended. */
export interface CallOutcome {
  /** Name of the model in the configuration. */
  readonly model: string
  /** Id of the model at its endpoint. */
  readonly modelId: string
  readonly usage: ModelUsage
  /** Undefined without an answer. */
  readonly finish: ModelFinish | undefined
  /** JSON as it left and reached the installation; undefined if it did not. */
  readonly prompt: string | undefined
  readonly promptDigest: string | undefined
  readonly answer: string | undefined
  /** Undefined for a call that was answered. */
  readonly failed: { readonly failure: ModelCallFailure; readonly error: string } | undefined
}

const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, costMicros: 0 }

/** The outcome of a request that got an answer, which fails it if JSON was asked for and cannot be read. */
export function answeredCall({ schema }: CompletionRequest, completion: Completion): CallOutcome {
  const { model, modelId, usage, finish, promptDigest, exchange, data, toolCalls } = completion
  const isUnreadable = schema !== undefined && data === undefined && toolCalls.length === 0
  const error =
    finish === 'length'
      ? 'The answer was cut off at its limit of tokens: its JSON is not complete.'
      : 'The answer is not the JSON that was asked for.'
  return { model, modelId, usage, finish, promptDigest, ...exchange, failed: isUnreadable ? { failure: 'unreadable', error } : undefined }
}

/**
 * The outcome of a request that failed.
 * @param sent what left the installation, undefined if nothing did
 * @param usage what it used, as far as that is known
 */
export function failedCall(
  { name: model, model: modelId }: ModelEndpoint,
  { sent, usage = noUsage }: { readonly sent: CompletionRequest | undefined; readonly usage?: ModelUsage },
  error: unknown,
  signal: AbortSignal,
): CallOutcome {
  const prompt = sent === undefined ? undefined : promptTextOf(sent)
  const promptDigest = prompt === undefined ? undefined : digestOfJson(prompt)
  return { model, modelId, usage, finish: undefined, prompt, promptDigest, answer: undefined, failed: reasonOf(error, signal) }
}

/** The error of a stream whose reader leaves before its end. */
export class ReaderLeftError extends Error {
  override readonly name = 'ReaderLeftError'
}

function reasonOf(error: unknown, signal: AbortSignal): CallOutcome['failed'] {
  if (signal.aborted || error instanceof ReaderLeftError)
    return { failure: 'stopped', error: 'The request was stopped before the model had answered: what asked had ended, or its time was up.' }
  if (error instanceof Fault) {
    if (error.code === 'quota_exceeded') return { failure: 'quota', error: error.message }
    if (error.code === 'consent_required') return { failure: 'privacy', error: error.message }
    // A stream that broke off has the cause inside.
    if (error.cause === undefined) return { failure: 'provider', error: error.message }
  }
  const { kind, message } = failureOf(error instanceof Fault ? error.cause : error)
  return { failure: kind, error: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }
}
