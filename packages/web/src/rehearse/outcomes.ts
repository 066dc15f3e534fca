import type { Json, JsonObject } from '@millrace/dsl'
import type { Machine } from '@millrace/engine/replay'
import { isObject } from '#src/document/task-json.ts'

type Request = Parameters<Machine['pending']['get']>[0] extends string
  ? NonNullable<ReturnType<Machine['pending']['get']>>['request']
  : never

/** What the world would say to a request, as far as it can be known without asking: undefined where a sample is needed. */
export function sampleOutcome(request: Request, pin: Json | undefined, nowMs: number): { readonly value: Json } | undefined {
  switch (request.kind) {
    case 'emit':
      return { value: completeEvent(request.event, nowMs) }
    case 'answer':
      return { value: request.body }
    case 'timer':
      return undefined
    case 'message':
      return messageFor(request.wait.topic, request.wait.arguments, pin, nowMs)
    case 'effect':
      if (request.function === 'variables') return { value: {} }
      if (pin === undefined && request.function === 'email') return { value: {} }
      return pin === undefined ? undefined : { value: pin }
    case 'child':
      return pin === undefined ? undefined : { value: pin }
  }
}

function completeEvent(event: JsonObject, nowMs: number): JsonObject {
  return { specversion: '1.0', id: 'sample', time: new Date(nowMs).toISOString(), ...event }
}

function messageFor(topic: string, args: Json, pin: Json | undefined, nowMs: number): { readonly value: Json } | undefined {
  if (topic === 'approve') {
    const details = isObject(args) && args['details'] !== undefined ? { details: args['details'] } : {}
    return { value: pin ?? { approved: true, outcome: 'approved', answers: [], approval: 'sample', ...details } }
  }
  if (pin === undefined) return undefined
  const isEvent = isObject(pin) && pin['specversion'] !== undefined
  return { value: isEvent ? pin : completeEvent({ type: 'sample', source: '/sample', data: pin }, nowMs) }
}
