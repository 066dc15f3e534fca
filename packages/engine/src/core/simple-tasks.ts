import { settled } from './evaluate.ts'
import { standardError, WorkflowError } from './error.ts'
import { checkEvent } from './event.ts'
import { isObject, type Json } from './json.ts'
import type { AnswerBody, CallBody, EmitBody, MessageBody, RaiseBody, RunWorkflowBody, SwitchBody, WaitBody } from './node.ts'
import { errorFromMessage } from './error-message.ts'
import type { Reply, Walk } from './request.ts'
import { checkPayload } from './payload.ts'
import { recordChoice, type Scope } from './scope.ts'
import type { BodyResult, Walker } from './walker.ts'

export function* runWait(body: WaitBody, scope: Scope, position: string): Walk<BodyResult> {
  const { strand } = scope.place
  const dueAtMs = strand.execution.nowMs + (yield* settled(body.durationMs(scope.input, scope)))
  yield { kind: 'timer', position, strand, dueAtMs }
  return { output: scope.input }
}

export function* runCall(body: CallBody, scope: Scope, position: string): Walk<BodyResult> {
  const { strand } = scope.place
  const given = yield* argumentsOf(body, scope)
  const reply = yield { kind: 'effect', position, strand, function: body.function, arguments: given, input: scope.input }
  return { output: valueOf(reply) }
}

export function* runMessage(body: MessageBody, scope: Scope, position: string): Walk<BodyResult> {
  const wait = { position, topic: body.topic, arguments: yield* argumentsOf(body, scope) }
  try {
    const reply = yield { kind: 'message', position: `${position}/message`, strand: scope.place.strand, wait }
    return { output: messageOf(reply) }
  } finally {
    yield { kind: 'close', position }
  }
}

/** The message that a wait received. @throws WorkflowError for a message that is an error. */
export function messageOf(reply: Parameters<typeof valueOf>[0]): Json {
  const message = valueOf(reply)
  const error = errorFromMessage(message)
  if (error !== undefined) throw new WorkflowError(error)
  return message
}

export function* runAnswer(body: AnswerBody, scope: Scope, position: string): Walk<BodyResult> {
  const given = yield* argumentsOf(body, scope)
  const answer = (isObject(given) ? given.body : undefined) ?? null
  const reply = yield { kind: 'answer', position, strand: scope.place.strand, body: answer }
  return { output: valueOf(reply) }
}

export function* runEmit(body: EmitBody, scope: Scope, position: string): Walk<BodyResult> {
  const event = yield* settled(body.event(scope.input, scope))
  if (!isObject(event)) throw standardError('expression', 'an event is an object')
  checkEvent(event)
  checkPayload(event, 'the event', scope.task?.reference ?? '', scope.place.strand.work)
  const reply = yield { kind: 'emit', position, strand: scope.place.strand, event }
  return { output: valueOf(reply) }
}

function* argumentsOf({ arguments: given, check }: Pick<CallBody, 'arguments' | 'check'>, scope: Scope): Walk<Json> {
  const { work } = scope.place.strand
  const value = yield* settled(given(scope.input, scope))
  const reference = scope.task?.reference ?? ''
  if (check !== undefined) yield* settled(check(value, reference, work))
  checkPayload(value, 'the arguments of the call', reference, work)
  return value
}

/** With `await: false` the output is the task's input, as the language prescribes for processes that are not awaited. */
export function* runChild(body: RunWorkflowBody, scope: Scope, position: string): Walk<BodyResult> {
  const { namespace, name, version } = body
  const { strand } = scope.place
  const input = yield* settled(body.input(scope.input, scope))
  checkPayload(input, 'the input of the workflow that is run', scope.task?.reference ?? '', strand.work)
  const reply = yield { kind: 'child', position, strand, namespace, name, version, input, await: body.await }
  const value = valueOf(reply)
  return { output: body.await ? value : scope.input }
}

export function* runSwitch({ observer }: Walker, body: SwitchBody, scope: Scope, position: string): Walk<BodyResult> {
  let chosen = -1
  for (const [index, candidate] of body.cases.entries()) {
    observer?.examines?.(position, { of: 'switch', index }, scope.input, scope)
    if (!(yield* settled(candidate.when(scope.input, scope)))) continue
    chosen = index
    break
  }
  recordChoice(scope.place.strand, 's', chosen)
  const then = body.cases[chosen]?.then ?? body.otherwise
  return { output: scope.input, ...(then === undefined ? {} : { then }) }
}

export function* runRaise(body: RaiseBody, scope: Scope): Walk<never> {
  const error = yield* settled(body.error(scope.input, scope))
  if (!isObject(error) || typeof error.type !== 'string' || typeof error.status !== 'number') {
    throw standardError('configuration', 'a raised error needs a "type" that is a string and a "status" that is a number')
  }
  const detail = text(error.detail)
  throw new WorkflowError({
    type: error.type,
    status: error.status,
    title: text(error.title) ?? 'Error',
    instance: text(error.instance) ?? scope.task?.reference ?? '',
    ...(detail === undefined ? {} : { detail }),
  })
}

/** The value of a request's outcome; raises the error of one that failed. */
export function valueOf(reply: Reply): Json {
  if (reply === undefined || 'completed' in reply || 'steps' in reply)
    throw new Error('a request was resumed with a reply that is not an outcome')
  if (reply.ok) return reply.value
  throw new WorkflowError(reply.error, { retryAfterMs: reply.retryAfterMs })
}

function text(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
