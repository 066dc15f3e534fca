import { durationMs } from '@millrace/dsl'
import type { Json, JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import { formatSpan } from '#terminal/duration.ts'
import type { Paint } from '#terminal/paint.ts'
import { printable, printableLine } from '#terminal/printable.ts'
import { titleOf } from './approval.ts'

/** An approval in words, with everything that an approver must know: title, approvers, rules and deadline. */
export function describeApproval(args: JsonObject, deadlineInMs: number | undefined, paint: Paint, mask: (text: string) => string): string {
  const { description, details, form } = args
  const rows = [
    ...(details === undefined ? [] : [row('details', JSON.stringify(details))]),
    row('asked', `${namesOf(args['approvers'])}${ruleOf(args)}`),
    ...reasonRows(args),
    ...(form === undefined ? [] : [row('form', JSON.stringify(form))]),
    ...(deadlineInMs === undefined ? [] : [row('deadline', `in ${formatSpan(deadlineInMs)}: ${deadlineText(args['onDeadline'])}`)]),
    ...objectsIn(args['escalation']).map((step) => row('escalation', escalationText(step))),
  ]
  const head = `${paint.yellow('?')} ${paint.bold(printableLine(mask(titleOf(args))))}`
  const text = typeof description === 'string' ? description.trimEnd().split('\n') : []
  return [
    head,
    ...text.map((one) => `  ${printable(mask(one))}`),
    ...rows.map(([label, value]) => `  ${paint.dim(label.padEnd(10))} ${printableLine(mask(value))}`),
  ].join('\n')
}

/** The approvers in words: `ada@example.com, role admin`. */
export function namesOf(approvers: Json | undefined): string {
  return (Array.isArray(approvers) ? approvers : []).map(nameOf).join(', ')
}

function nameOf(approver: Json): string {
  const name = isObject(approver) ? approver['role'] : approver
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  return isObject(approver) ? `role ${text}` : text
}

type Row = readonly [label: string, value: string]

function row(label: string, value: string): Row {
  return [label, value]
}

/** The number of approvers that decide on a server. */
function ruleOf({ required, veto }: JsonObject): string {
  const parts = [
    ...(required === 'all' ? ['all have to approve'] : []),
    ...(typeof required === 'number' && required > 1 ? [`${required} have to approve`] : []),
    ...(typeof veto === 'number' && veto > 1 ? [`${veto} have to reject`] : []),
    ...(veto === false ? ['a rejection counts when it cannot be approved any more'] : []),
  ]
  return parts.length === 0 ? '' : `; ${parts.join(', ')}; here one answer decides`
}

function reasonRows({ reason }: JsonObject): readonly Row[] {
  if (reason === 'none') return []
  const to = reason === 'both' ? 'approve and to reject' : reason === 'approve' ? 'approve' : 'reject'
  return [row('reason', `needed to ${to}`)]
}

function deadlineText(onDeadline: Json | undefined): string {
  if (onDeadline === 'approve') return 'then it is approved'
  return onDeadline === 'fail' ? 'then the task fails' : 'then it is rejected'
}

/** A local run sends no mail, but the user wants to know who would receive one. */
function escalationText({ after, approvers, replace, notify }: JsonObject): string {
  const when = durationMs(after)
  const others = namesOf(approvers)
  const asked = replace === true ? `${others} instead` : `${others} as well`
  const parts = [
    ...(approvers === undefined ? [] : [`a server asks ${asked}`]),
    ...(notify === undefined ? [] : [`a server notifies ${namesOf(notify)}`]),
  ]
  return `after ${when === undefined ? JSON.stringify(after) : formatSpan(when)} ${parts.join(' and ')}`
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one: Json) => isObject(one)) : []
}
