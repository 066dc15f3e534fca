import { isObject, compileSchema, type Json, type JsonObject, raising, standardError } from '@millrace/engine/definition'

/** A decision on an approval; `expire` is the decision of its deadline. */
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

/** Reads a verdict from the body that the API accepts, or from a word; undefined for anything else. */
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

/** What a decision requires: a reason, data for the form. */
export function neededFor(decision: Verdict['decision'], args: JsonObject): { readonly reason: boolean; readonly form: Json | undefined } {
  const rule = args['reason'] ?? 'reject'
  return {
    reason: decision !== 'expire' && (rule === 'both' || rule === decision),
    form: decision === 'approve' ? args['form'] : undefined,
  }
}

/** Why a server would refuse the verdict; undefined when it would accept it. */
export function problemOf({ decision, reason, data }: Verdict, args: JsonObject): string | undefined {
  const needed = neededFor(decision, args)
  if (needed.reason && (reason === undefined || reason.trim() === '')) return `a reason is required to ${decision}`
  if (args['form'] === undefined) return data === undefined ? undefined : 'data is not allowed: the approval has no form'
  if (needed.form === undefined && data === undefined) return undefined
  if (data === undefined) return 'data is required: the approval has a form'
  // Objects around a wrong value have faults as well; the innermost fault says the most.
  const [fault] = compileSchema({ document: args['form'] })(data).toSorted((one, other) => other.pointer.length - one.pointer.length)
  return fault === undefined ? undefined : `/data${fault.pointer} does not fit the form: ${fault.detail}`
}

/** The output of the approval task after one answer, which decides alone. */
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

/** The title of an approval, in one line. */
export function titleOf({ title }: JsonObject): string {
  return typeof title === 'string' ? title : 'approval'
}

function firstAddress(approvers: Json | undefined): string {
  const found = Array.isArray(approvers) ? approvers.find((one: Json) => typeof one === 'string' && one.includes('@')) : undefined
  return typeof found === 'string' ? (/<([^>]*)>/.exec(found)?.[1] ?? found) : 'local@localhost'
}
