import type { Json, JsonObject } from '@millrace/engine'
import { messageOf } from '#command/failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { eventOf } from './given-events.ts'
import type { LineReader } from './line-reader.ts'

export interface EventLineDeps {
  readonly terminal: Pick<Terminal, 'now' | 'newId'>
  readonly publish: (event: JsonObject) => void
  /** Reports a line that is not an event. The other lines are still published, like requests to a server. */
  readonly refused: (line: number, why: string) => void
}

/** Publishes the event of each line when it is read, until the end of the input or until it is aborted. */
export async function readEventLines(lines: LineReader, signal: AbortSignal, { terminal, publish, refused }: EventLineDeps): Promise<void> {
  for (let number = 1; ; number++) {
    // Trimmed of the byte order mark as well that some programs begin with.
    const line = (await lines.next(signal))?.trim()
    if (line === undefined) return
    if (line === '') continue
    const event = parse(line)
    const complete = event.ok ? eventOf(event.value, terminal) : event.why
    if (typeof complete === 'string') refused(number, complete)
    else publish(complete)
  }
}

function parse(line: string): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string } {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives nothing else.
    return { ok: true, value: JSON.parse(line) as Json }
  } catch (error) {
    return { ok: false, why: `not JSON: ${messageOf(error)}` }
  }
}
