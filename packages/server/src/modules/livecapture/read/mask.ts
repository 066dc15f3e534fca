import type { CapturedEvent, StoredEvent } from '#modules/livecapture/model.ts'
import { inputMark, mapLeaves } from './placeholders.ts'

/** A shorter value occurs in other texts by chance. */
const partCharactersMin = 4

/** Puts placeholders in the place of typed values inside of requests, and drops the values that may not be kept: all with `masks`, else those of secrets. */
export function maskEvents(events: readonly StoredEvent[], masks: boolean): readonly StoredEvent[] {
  const typed = new Map<string, string>()
  return events.map((event) => {
    if (event.kind === 'elements') return event
    if (event.kind === 'change') {
      const { value, ...rest } = event
      const field = fieldOf(event)
      if (value !== undefined && value !== '' && field !== undefined) typed.set(value, field)
      return masks || event.secret === true || value === undefined ? rest : event
    }
    const { request } = event
    return request?.body === undefined
      ? event
      : { ...event, request: { ...request, body: mapLeaves(request.body, (leaf) => masked(leaf, typed)) } }
  })
}

function masked(leaf: string | number, typed: ReadonlyMap<string, string>): string | number {
  const whole = typed.get(String(leaf))
  if (whole !== undefined) return inputMark(whole, typeof leaf === 'number' ? 'number' : 'string')
  if (typeof leaf === 'number') return leaf
  let text = leaf
  for (const [value, field] of typed) if (value.length >= partCharactersMin) text = text.replaceAll(value, inputMark(field))
  return text
}

/** The name of a field: that of the form, else made of its label or selector. */
export function fieldOf({ field, label, selector }: Pick<CapturedEvent, 'field' | 'label' | 'selector'>): string | undefined {
  return field ?? label ?? selector
}
