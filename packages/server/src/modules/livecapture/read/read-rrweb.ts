import { Fault, type JsonValue } from '@millrace/contract'
import * as z from 'zod'
import type { PageElement, StoredEvent } from '#modules/livecapture/model.ts'
import { shortened } from './shortened.ts'

// Numbers of rrweb 2: https://github.com/rrweb-io/rrweb/blob/main/packages/types/src/index.ts
const full = 2
const incremental = 3
const meta = 4
const mutation = 0
const mouse = 2
const input = 5
const click = 2

const Event = z.object({ type: z.int(), timestamp: z.number().min(0).max(8.64e15), data: z.looseObject({}).catch({}) })
const Input = z.object({ id: z.int(), text: z.string().optional(), isChecked: z.boolean().optional() })
const Node = z.object({
  id: z.int(),
  tagName: z.string().max(50).optional(),
  textContent: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  childNodes: z.array(z.unknown()).optional(),
})

const elementsMax = 1_000

/** Reads events of rrweb. Of a page it keeps only what names the elements that a person uses, not its content. */
export function readRrweb(events: readonly JsonValue[], first: number): readonly (StoredEvent | undefined)[] {
  return events.map((raw, index) => {
    const parsed = Event.safeParse(raw)
    if (!parsed.success)
      throw new Fault('request_invalid', {
        errors: [{ pointer: `/rrweb/${index}`, detail: 'Is not an event of rrweb: it needs type, data and timestamp.' }],
      })
    return eventOf(parsed.data, first + index)
  })
}

function eventOf({ type, data, timestamp }: z.output<typeof Event>, sequence: number): StoredEvent | undefined {
  const base = { sequence, at: new Date(timestamp).toISOString() }
  if (type === meta && typeof data['href'] === 'string') return { ...base, kind: 'navigate', url: shortened(data['href'], 2_048) }
  if (type === full) return elementsEvent(sequence, [data['node']])
  if (type !== incremental) return undefined
  if (data['source'] === mutation && Array.isArray(data['adds']))
    return elementsEvent(
      sequence,
      data['adds'].map((added: unknown) => (typeof added === 'object' && added !== null && 'node' in added ? added.node : undefined)),
    )
  if (data['source'] === mouse && data['type'] === click && Number.isInteger(data['id']))
    return { ...base, kind: 'click', element: Number(data['id']) }
  if (data['source'] !== input) return undefined
  const typed = Input.safeParse(data)
  if (!typed.success) return undefined
  const { id, text = '', isChecked } = typed.data
  return {
    ...base,
    kind: 'change',
    element: id,
    value: shortened(text === 'on' && isChecked !== undefined ? String(isChecked) : text, 4_000),
  }
}

function elementsEvent(sequence: number, roots: readonly unknown[]): StoredEvent | undefined {
  const elements: Record<string, PageElement> = {}
  let count = 0
  const visit = (value: unknown): string => {
    const parsed = Node.safeParse(value)
    if (!parsed.success) return ''
    const { id, tagName, textContent, attributes = {}, childNodes = [] } = parsed.data
    const text = shortened((textContent ?? childNodes.map(visit).join(' ')).replaceAll(/\s+/g, ' ').trim(), 100)
    if (tagName !== undefined && /^(?:a|button|input|select|textarea|label|summary|option)$/.test(tagName) && count++ < elementsMax)
      elements[id] = elementOf(tagName, attributes, text)
    return text
  }
  roots.forEach(visit)
  return count === 0 ? undefined : { sequence, kind: 'elements', elements }
}

function elementOf(tagName: string, attributes: Readonly<Record<string, unknown>>, text: string): PageElement {
  const textOf = (name: string) => {
    const value = attributes[name]
    return typeof value === 'string' && value !== '' ? shortened(value, 100) : undefined
  }
  const [id, name] = [textOf('id'), textOf('name')]
  const label = textOf('aria-label') ?? textOf('placeholder') ?? (text === '' ? undefined : text)
  return {
    selector: id !== undefined ? `#${id}` : name !== undefined ? `${tagName}[name="${name}"]` : tagName,
    label,
    field: name ?? id,
    secret: textOf('type') === 'password' || (textOf('autocomplete') ?? '').startsWith('cc-'),
  }
}
