import type { StoredEvent } from '#modules/livecapture/model.ts'
import type { ReadFrame } from './read-texts.ts'

/** The lines of one picture, as recognition or a model read them. */
interface Screen extends Pick<ReadFrame, 'atMs' | 'lines'> {
  /** What the person did before it, if that is known. */
  readonly action?: string | undefined
}

const labelled = /^(?<label>[\p{L}][\p{L}\p{N} .'/-]{0,60}?)\s*[:=]\s*(?<value>\S.*)?$/u
const address = /\bhttps?:\/\/[^\s|]+/

/** Makes events of the texts of a recording: a new heading is a page, a labelled line that gets another value is a change of its field. */
export function eventsOfFrames(frames: readonly Screen[], at: string): readonly StoredEvent[] {
  const events: StoredEvent[] = []
  const values = new Map<string, string>()
  const startMs = Date.parse(at)
  let heading: string | undefined
  const push = (atMs: number, event: Record<string, string> & { kind: 'navigate' | 'change' | 'click' }) =>
    events.push({ sequence: events.length + 1, at: new Date(startMs + atMs).toISOString(), ...event })
  for (const { atMs, lines, action } of frames) {
    const url = lines.map((line) => address.exec(line)?.[0]).find((found) => found !== undefined)
    const title = lines.find((line) => !address.test(line) && !labelled.test(line))
    if (title !== undefined && !isSame(title, heading)) {
      heading = title
      push(atMs, { kind: 'navigate', title, ...(url === undefined ? {} : { url }) })
      push(atMs, { kind: 'click', label: action ?? title, selector: `screen at ${Math.round(atMs / 1000)} s` })
    }
    for (const line of lines) {
      const { label, value = '' } = address.test(line) ? {} : (labelled.exec(line)?.groups ?? {})
      if (label === undefined || values.get(label) === value) continue
      values.set(label, value)
      push(atMs, { kind: 'change', label, field: label, selector: label, ...(value === '' ? {} : { value }) })
    }
  }
  return events
}

/** Recognition differs by a letter between two pictures of the same text. */
function isSame(one: string, other: string | undefined): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return other !== undefined && plain(one) === plain(other)
}
