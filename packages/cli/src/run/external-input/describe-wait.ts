import type { Json, JsonObject, LocalRun } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import { namesOf } from './describe-approval.ts'

export type Wait = ReturnType<LocalRun['waits']>[number]

/** The event or approval of a wait, in a few words: `event com.example.paid (order 7)`, `approval "Pay 500 EUR" by ada@example.com`. */
export function describeWait({ topic, arguments: given }: Wait): string {
  const args = objectOf(given)
  if (topic !== 'events') return describeQuestion(topic, args)
  const filters = (Array.isArray(args['filters']) ? args['filters'] : []).map(objectOf)
  const wanted = filters.filter(({ role }) => role !== 'until').map(describeFilter)
  const ending = filters.filter(({ role }) => role === 'until').map(describeFilter)
  const text = [...new Set(wanted)].join(args['takes'] === 'each' ? ' and ' : ' or ')
  return `event ${text}${ending.length === 0 ? '' : ` until ${[...new Set(ending)].join(', ')}`}`
}

/** How the user can end the wait. */
export function adviceFor({ topic, name }: { readonly topic: string; readonly name: string }): string {
  if (topic === 'events') return 'Give events with --event FILE|JSON, or one a line on standard input with --events -.'
  return `Answer it with --answer ${name}=approve or --answer ${name}='{"decision":"reject","reason":"…"}', pipe answers in with --answer -, or run it on a terminal to be asked.`
}

function describeQuestion(topic: string, args: JsonObject): string {
  const { title, approvers } = args
  const what = topic === 'approve' ? 'approval' : topic
  const by = approvers === undefined ? '' : ` by ${namesOf(approvers)}`
  return `${what}${typeof title === 'string' ? ` "${title}"` : ''}${by}`
}

function describeFilter({ filter, expected }: JsonObject): string {
  const { type, ...others } = objectOf(objectOf(filter)['with'])
  const conditions = [
    ...Object.entries(others).map(([name, value]) => `${name} ${textOf(value)}`),
    ...Object.entries(objectOf(expected)).map(([name, value]) => `${name} ${textOf(value)}`),
  ]
  const kind = type === undefined ? 'of any type' : textOf(type)
  return conditions.length === 0 ? kind : `${kind} (${conditions.join(', ')})`
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {}
}
