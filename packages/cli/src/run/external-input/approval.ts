import { isObject, compileSchema, type Json, type JsonObject, raising, standardError } from '@millrace/engine/definition'

/** What somebody says to an approval; `expire` is what its deadline says. */
export interface Verdict {
  readonly decision: 'approve' | 'reject' | 'expire'
  readonly reason?: string
  readonly data?: Json
}

const shorthands: Readonly<Record<string, Verdict['decision']>> = {
  approve: 'approve',
  approved: 'approve',
  true: 'approve',
  reject: 'reject',
  rejected: 'reject',
  false: 'reject',
  expire: 'expire',
  expired: 'expire',
}

/** A verdict out of the body that the interface takes, or out of a word; undefined for anything else. */
export function readVerdict(value: Json): Verdict | undefined {
  if (!isObject(value)) {
    const decision = shorthands[typeof value === 'string' ? value : JSON.stringify(value)]
    return decision === undefined ? undefined : { decision }
  }
  const { decision: said, reason, data, ...others } = value
  const decision = typeof said === 'string' ? shorthands[said] : undefined
  if (decision === undefined || Object.keys(others).length > 0 || (reason !== undefined && typeof reason !== 'string')) return undefined
  return { decision, ...(reason === undefined ? {} : { reason }), ...(data === undefined ? {} : { data }) }
}

/** What has to be said to a decision: a reason, data for the form. */
export function neededFor(decision: Verdict['decision'], args: JsonObject): { readonly reason: boolean; readonly form: Json | undefined } {
  const rule = args['reason'] ?? 'reject'
  return {
    reason: decision !== 'expire' && (rule === 'both' || rule === decision),
    form: decision === 'approve' ? args['form'] : undefined,
  }
}

/** Why a server would refuse the verdict; undefined when it would not. */
export function problemOf({ decision, reason, data }: Verdict, args: JsonObject): string | undefined {
  const needed = neededFor(decision, args)
  if (needed.reason && (reason === undefined || reason.trim() === '')) return `to ${decision} this needs a reason`
  if (args['form'] === undefined) return data === undefined ? undefined : 'there is no form, so there can be no data'
  if (needed.form === undefined && data === undefined) return undefined
  if (data === undefined) return 'it has a form, so the answer needs data'
  // Those of what holds a wrong value come along with its own, which says the most.
  const [fault] = compileSchema({ document: args['form'] })(data).toSorted((one, other) => other.pointer.length - one.pointer.length)
  return fault === undefined ? undefined : `/data${fault.pointer} does not fit the form: ${fault.detail}`
}

/** What the task gives after one answer, which decides alone: nobody else is there. */
export function approvalOutput(verdict: Verdict, args: JsonObject, { id, at }: { readonly id: string; readonly at: string }): JsonObject {
  const { decision, reason, data } = verdict
  const details = args['details'] === undefined ? {} : { details: args['details'] }
  if (decision === 'expire' && args['onDeadline'] === 'fail') {
    return raising(standardError('timeout', `No decision before the deadline: ${titleOf(args)}`).data)
  }
  if (decision === 'expire') {
    return { approved: args['onDeadline'] === 'approve', outcome: 'expired', ...details, answers: [], approval: id, decidedAt: at }
  }
  const answered = data === undefined ? {} : { data }
  const answer = { by: firstAddress(args['approvers']), decision, ...(reason === undefined ? {} : { reason }), ...answered, at, via: 'api' }
  const approved = decision === 'approve'
  return { approved, outcome: approved ? 'approved' : 'rejected', ...answered, ...details, answers: [answer], approval: id, decidedAt: at }
}

/** What is to be approved, in one line. */
export function titleOf({ title }: JsonObject): string {
  return typeof title === 'string' ? title : 'approval'
}

function firstAddress(approvers: Json | undefined): string {
  const found = Array.isArray(approvers) ? approvers.find((one: Json) => typeof one === 'string' && one.includes('@')) : undefined
  return typeof found === 'string' ? (/<([^>]*)>/.exec(found)?.[1] ?? found) : 'local@localhost'
}
