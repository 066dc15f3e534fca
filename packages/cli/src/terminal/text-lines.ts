import type { Readable } from 'node:stream'

/** Puts a text that arrives in chunks together line by line. */
export interface LineSplitter {
  /** The lines that a chunk ends. */
  take(chunk: Uint8Array): readonly string[]
  /** The last line, if nothing ended it. */
  end(): readonly string[]
}

/** A line feed ends a line, and a carriage return before it belongs to the end. JSON may have other ends of lines inside of a text, such as U+2028. */
export function createLineSplitter(): LineSplitter {
  const decoder = new TextDecoder()
  let begun: string[] = []
  return {
    take(chunk) {
      const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n')
      begun.push(first)
      const last = more.pop()
      if (last === undefined) return []
      const lines = [begun.join(''), ...more].map(withoutReturn)
      begun = [last]
      return lines
    },
    end() {
      const text = begun.join('') + decoder.decode()
      begun = []
      return text === '' ? [] : [withoutReturn(text)]
    },
  }
}

/** The lines of an input. */
export async function* textLines(input: Readable): AsyncGenerator<string, void, undefined> {
  const splitter = createLineSplitter()
  for await (const chunk of input) yield* splitter.take(Buffer.from(chunk))
  yield* splitter.end()
}

const withoutReturn = (line: string) => line.replace(/\r$/, '')
