import { Fault } from '@millrace/contract'
import { isTimeZone } from '@millrace/dsl'
import type { Trigger, WebhookSettings } from '#modules/triggers/model.ts'
import { findInputShapes } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { formShapeOf } from './form-fields.ts'

/** Fault for a webhook whose form cannot be shown, or that takes what a form cannot send. */
export async function checkForm(tx: Tx, accountId: string, workflowId: string, webhook: WebhookSettings | undefined): Promise<void> {
  if (webhook?.form === undefined) return
  const { signature, methods, form } = webhook
  if (signature.scheme !== 'none') throw invalid('signature/scheme', 'Must be none for a webhook with a form, since people sign nothing.')
  if (methods.length !== 1 || methods[0] !== 'POST')
    throw invalid('methods', 'Must be POST alone for a webhook with a form, whose page is read by GET.')
  if (!isTimeZone(form.timeZone))
    throw invalid('form/timeZone', `"${form.timeZone}" is not a name of the IANA time zone database, such as Europe/Berlin.`)
  const input = (await findInputShapes(tx, accountId, [workflowId])).get(workflowId)
  if (input === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
  if (!input.exists)
    throw new Fault('workflow_not_published', { detail: 'A form takes its fields from the published version. Publish the workflow first.' })
  const shape = formShapeOf(input.schema)
  if ('problem' in shape) throw new Fault('form_invalid', { errors: [{ pointer: '/webhook/form', detail: shape.problem }] })
}

function invalid(member: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: `/webhook/${member}`, detail }] })
}

/** Why the forms of triggers cannot be shown, by the id of the trigger. */
export async function formProblems(
  tx: Tx,
  accountId: string,
  triggers: readonly Pick<Trigger, 'id' | 'workflowId' | 'webhook'>[],
): Promise<ReadonlyMap<string, string>> {
  const forms = triggers.filter(({ webhook }) => webhook?.form !== undefined)
  const inputs = await findInputShapes(tx, accountId, [...new Set(forms.map(({ workflowId }) => workflowId))])
  return new Map(
    forms.flatMap(({ id, workflowId }): (readonly [string, string])[] => {
      const input = inputs.get(workflowId)
      if (input?.exists !== true) return [[id, 'The workflow has no published version.']]
      const shape = formShapeOf(input.schema)
      return 'problem' in shape ? [[id, shape.problem]] : []
    }),
  )
}
