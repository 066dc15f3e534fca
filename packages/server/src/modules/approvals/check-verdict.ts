import { Fault, type InvalidPart } from '@millrace/contract'
import { compileSchema, type Json, type SchemaFault } from '@millrace/engine'
import type { Verdict } from './model.ts'
import type { Plan } from './plan.ts'

const partsMax = 50
/** Steps that a form may take: some tens of milliseconds at most, for hundreds of fields. It is checked under the lock of the approval. */
const stepsMax = 100_000

/** Fault `answer_invalid` for what lacks a reason that it needs, or does not fit the form. */
export function checkVerdict({ reasonFor, form }: Pick<Plan, 'reasonFor' | 'form'>, { decision, reason, data }: Verdict): void {
  const parts: InvalidPart[] = []
  if (reasonFor.has(decision) && reason === undefined)
    parts.push({ pointer: '/reason', detail: decision === 'approve' ? 'To approve this, say why.' : 'To reject this, say why.' })
  if (form === undefined && data !== undefined) parts.push({ pointer: '/data', detail: 'Nothing is asked to be filled in. Leave it out.' })
  // Whoever rejects need not fill in what only an approval is worth.
  if (form !== undefined && (decision === 'approve' || data !== undefined)) {
    if (data === undefined) parts.push({ pointer: '/data', detail: 'There is a form to be filled in; see `form`.' })
    else for (const { pointer, detail } of formFaults(form, data).slice(0, partsMax)) parts.push({ pointer: `/data${pointer}`, detail })
  }
  if (parts.length > 0) throw new Fault('answer_invalid', { errors: parts })
}

function formFaults(form: Json, data: Json): readonly SchemaFault[] {
  let spent = 0
  try {
    return compileSchema({ document: form })(data, {
      spend(steps) {
        spent += steps
        if (spent > stepsMax) throw tooMuch
      },
    })
  } catch (error) {
    if (error !== tooMuch) throw error
    return [{ pointer: '', detail: `the form cannot be checked: it takes more than ${stepsMax} steps with these data` }]
  }
}

const tooMuch = new Error('a form takes too many steps')
