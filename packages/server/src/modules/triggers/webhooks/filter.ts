import { Fault } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { assertJq, firstOutput, type Given, type MappingDeps } from '#modules/triggers/mapping.ts'
import type { Trigger, WebhookSettings } from '#modules/triggers/model.ts'

/** Refuses a filter that is no jq expression, and one of a trigger that has none. */
export function checkFilter({
  kind,
  webhook,
  filter,
}: {
  readonly kind: Trigger['kind']
  readonly webhook?: WebhookSettings | undefined
  readonly filter?: string | undefined
}): void {
  if (filter === undefined) return
  const refuse = (detail: string) => new Fault('request_invalid', { errors: [{ pointer: '/filter', detail }] })
  if (kind !== 'webhook') throw refuse(`Does not belong to the kind ${kind}.`)
  if (webhook?.form !== undefined)
    throw refuse(
      'Does not belong to a webhook with a form: people would get no word of what was ignored. Check values by the input schema.',
    )
  assertJq('filter_invalid', '/filter', filter)
}

/** Whether a request passes the filter of its webhook. Fault `filter_failed` when the filter fails, or gives neither true nor false. */
export async function passesFilter(deps: MappingDeps, trigger: Trigger, given: Given): Promise<boolean> {
  if (trigger.filter === undefined) return true
  const result = await firstOutput(deps, trigger, trigger.filter, given)
  if ('failure' in result)
    throw new Fault('filter_failed', { detail: `The filter of the trigger failed for this request: ${result.failure}` })
  const [passes] = result.outputs
  if (typeof passes === 'boolean') return passes
  throw new Fault('filter_failed', {
    detail: `The filter of the trigger gave ${kindOf(passes)} for this request, and has to give true or false. Compare the value, for example with == "yes".`,
  })
}

function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'no result'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
