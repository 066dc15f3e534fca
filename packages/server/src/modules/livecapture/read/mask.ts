import type { CapturedEvent, StoredEvent } from '#modules/livecapture/model.ts'
import { inputMark, mapLeaves, splitAtMarks } from './placeholders.ts'

/** A shorter value occurs in other texts by chance. */
const partCharactersMin = 4

/** Whether an element of rrweb is a field for a secret, by its id, as far as it is listed. */
export type ListedElements = ReadonlyMap<number, boolean>

export interface Masking {
  /** Whether all typed values are dropped, and not only those of secrets. */
  readonly masks: boolean
  /** Elements that earlier events list. */
  readonly listed: ListedElements
}

/** Puts placeholders in the place of typed values inside of requests and addresses, and drops the values that may not be kept. */
export function maskEvents(events: readonly StoredEvent[], { masks, listed }: Masking): readonly StoredEvent[] {
  const typed = createTyped()
  const elements = new Map([...listed, ...events.flatMap(listedIn)])
  const isSecret = ({ secret, element }: { readonly secret?: boolean | undefined; readonly element?: number }) =>
    // An element that is not known may be a field for a password.
    secret === true || (element !== undefined && elements.get(element) !== false)
  return events.map((event) => {
    if (event.kind === 'elements') return event
    const shown = event.url === undefined ? event : { ...event, url: typed.maskUrl(event.url) }
    if (shown.kind === 'change') {
      const { value, ...rest } = shown
      const field = fieldOf(shown)
      if (value !== undefined && value !== '' && field !== undefined) typed.note(value, field)
      return masks || isSecret(shown) || value === undefined ? rest : shown
    }
    const { request } = shown
    if (request === undefined) return shown
    const url = typed.maskUrl(request.url)
    return {
      ...shown,
      request: request.body === undefined ? { ...request, url } : { ...request, url, body: mapLeaves(request.body, typed.mask) },
    }
  })
}

function listedIn(event: StoredEvent): readonly (readonly [number, boolean])[] {
  return event.kind === 'elements' ? Object.entries(event.elements).map(([id, { secret }]) => [Number(id), secret] as const) : []
}

/** The elements that changed. */
export function changedElements(events: readonly StoredEvent[]): readonly number[] {
  return [...new Set(events.flatMap((event) => (event.kind === 'change' && event.element !== undefined ? [event.element] : [])))]
}

/** What was typed, with the names of the fields. */
function createTyped() {
  const fields = new Map<string, string>()

  /** The pieces between marks, with marks in the place of typed values. The longest value first, since it may contain another. */
  function split(text: string): readonly string[] {
    const values = [...fields.keys()].filter((value) => value.length >= partCharactersMin && text.includes(value))
    return values
      .toSorted((one, other) => other.length - one.length)
      .reduce<readonly string[]>((pieces, value) => {
        const mark = inputMark(fields.get(value) ?? '')
        return pieces.flatMap((piece, index) =>
          index % 2 === 1 ? [piece] : piece.split(value).flatMap((part, at) => (at === 0 ? [part] : [mark, part])),
        )
      }, splitAtMarks(text))
  }

  function maskPart(part: string): string {
    const plain = decoded(part)
    if (part.startsWith('⟦') || plain === undefined) return part
    const pieces = split(plain)
    // Nothing was typed in it: it stays as it was written.
    if (pieces.join('') === plain) return part
    return pieces.map((piece, index) => (index % 2 === 1 ? piece : encodeURIComponent(piece))).join('')
  }

  return {
    note: (value: string, field: string) => void fields.set(value, field),

    mask(leaf: string | number): string | number {
      const whole = fields.get(String(leaf))
      if (whole !== undefined) return inputMark(whole, typeof leaf === 'number' ? 'number' : 'string')
      return typeof leaf === 'number' ? leaf : split(leaf).join('')
    },

    /** The parts of an address are looked at one by one, as their characters stand before they are encoded. */
    maskUrl(url: string): string {
      if (fields.size === 0) return url
      const [, origin = '', rest = url] = /^(\w+:\/\/[^/?#]*)(.*)$/su.exec(url) ?? []
      return origin + rest.replaceAll(/⟦[^⟦⟧]*⟧|[^/?#&=⟦]+/gu, maskPart)
    },
  }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The name of a field: that of the form, else made of its label or selector. */
export function fieldOf({ field, label, selector }: Pick<CapturedEvent, 'field' | 'label' | 'selector'>): string | undefined {
  return field ?? label ?? selector
}
