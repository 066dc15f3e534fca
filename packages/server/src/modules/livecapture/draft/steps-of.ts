import type { CapturedEvent, PageElement, StoredEvent } from '#modules/livecapture/model.ts'

/** The events on one page, in order. */
export interface Page {
  readonly url: string | undefined
  readonly title: string | undefined
  readonly events: readonly CapturedEvent[]
}

/** Groups events by page. A field that was changed several times is one event, the last one; a key is part of what it causes. */
export function pagesOf(stored: readonly StoredEvent[]): readonly Page[] {
  const pages: { url: string | undefined; title: string | undefined; events: CapturedEvent[] }[] = []
  for (const event of named(stored)) {
    if (event.kind === 'navigate') {
      const last = pages.at(-1)
      if (last !== undefined && pathOf(last.url) === pathOf(event.url) && last.title === event.title) continue
      if (last !== undefined && last.events.length === 0) pages.pop()
      pages.push({ url: event.url, title: event.title, events: [] })
      continue
    }
    if (event.kind === 'key') continue
    if (pages.length === 0) pages.push({ url: event.url, title: event.title, events: [] })
    const events = pages.at(-1)?.events ?? []
    const before = events.at(-1)
    const repeats = before !== undefined && before.kind === event.kind && event.kind !== 'request' && targetOf(before) === targetOf(event)
    if (repeats && event.kind === 'change') events.pop()
    // A double click, or the click that rrweb reports for the label as well.
    else if (repeats && event.kind === 'click') continue
    events.push(event)
  }
  return pages.filter(({ events }) => events.length > 0)
}

/** Gives the events of rrweb the names of their elements. */
function named(stored: readonly StoredEvent[]): readonly CapturedEvent[] {
  const known = new Map<number, PageElement>()
  return stored.flatMap((event) => {
    if (event.kind === 'elements') {
      for (const [id, element] of Object.entries(event.elements)) known.set(Number(id), element)
      return []
    }
    const { element, ...rest } = event
    if (element === undefined) return [rest]
    const found = known.get(element)
    // A click on something that is no control.
    if (found === undefined) return rest.kind === 'click' ? [] : [{ ...rest, selector: `element ${element}` }]
    const { selector, label, field, secret } = found
    return [{ ...rest, selector, secret, ...(label === undefined ? {} : { label }), ...(field === undefined ? {} : { field }) }]
  })
}

const targetOf = ({ selector, field, label }: CapturedEvent) => selector ?? field ?? label

function pathOf(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`
}
