import { Readable } from 'node:stream'
import { type AnyOperation, type Fault, errorCatalogue } from '@millrace/contract'
import type { KeptAnswer } from '#platform/http/idempotency/idempotency.ts'
import { problemType } from './problem.ts'
import { Respond } from './respond.ts'

/** An answer on its way out. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Readable
}

const jsonType = 'application/json; charset=utf-8'
const noHeaders: Readonly<Record<string, string>> = {}

/** The answer to what a handler returned. */
export function answerOf(output: unknown, serialise: (value: unknown) => string): Answer {
  if (!(output instanceof Respond)) return { status: 200, contentType: jsonType, headers: noHeaders, body: serialise(output) }
  if (output.value instanceof Readable)
    return {
      status: 200,
      contentType: output.headers['content-type'] ?? 'application/octet-stream',
      headers: output.headers,
      body: output.value,
    }
  return { status: 200, contentType: jsonType, headers: output.headers, body: serialise(output.value) }
}

/** What of an answer is kept for an `Idempotency-Key`; a stream cannot be. */
export function keptOf(answer: Answer, op: AnyOperation): KeptAnswer {
  if (typeof answer.body !== 'string') throw new Error(`${op.id} answers with a stream, which cannot be kept for its idempotency key.`)
  return { status: answer.status, contentType: answer.contentType, headers: answer.headers, body: answer.body }
}

/** The answer of an earlier request, given again. A problem names the request that it answers, and so this one. */
export function replayOf(kept: KeptAnswer, requestId: string): Answer {
  const headers = { ...kept.headers, 'idempotent-replayed': 'true' }
  if (kept.contentType !== problemType) return { ...kept, headers }
  return { ...kept, headers, body: JSON.stringify({ ...JSON.parse(kept.body), requestId }) }
}

/** A Fault that is the lasting answer to a request, as against one that a repetition may get past. */
export function isLasting(fault: Fault): boolean {
  const { status } = errorCatalogue[fault.code]
  return status < 500 && status !== 429 && !fault.code.startsWith('idempotency_')
}

/** A problem as it is kept. */
export function keptProblem(fault: Fault, problem: object): KeptAnswer {
  return { status: errorCatalogue[fault.code].status, contentType: problemType, headers: noHeaders, body: JSON.stringify(problem) }
}
