import { malformed } from './form-values.ts'
import { delimiterOf, longHead, partHeadBytesMax, type PartHead, partsMax, readPartHead } from './read-multipart.ts'

export interface StreamedPart extends PartHead {
  /** To be read before the next part is asked for; what is left then is skipped. */
  readonly content: AsyncIterable<Buffer>
}

const blankLine = Buffer.from('\r\n\r\n')

/**
 * Reads the parts of a form while it arrives, without keeping their contents.
 *
 * Source: RFC 7578.
 */
export async function* streamMultipart(contentType: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedPart> {
  const delimiter = delimiterOf(contentType)
  const source = body[Symbol.asyncIterator]()
  const window = createWindow(source)
  try {
    // The first delimiter may be at the very beginning; what comes before it is no part.
    await skip(window.until(delimiter))
    for (let count = 0; !(await window.startsWith('--')); count++) {
      if (count >= partsMax) throw malformed(`The form has more than ${partsMax} parts.`)
      const head = readPartHead(await window.take(blankLine, partHeadBytesMax))
      yield { ...head, content: window.until(delimiter) }
      if (!window.hasReached(delimiter)) await skip(window.until(delimiter))
    }
  } finally {
    await source.return?.()
  }
}

/** The bytes of a stream that have arrived and are not read. */
function createWindow(source: AsyncIterator<Uint8Array>) {
  let bytes = Buffer.from('\r\n')
  let lastFound: Buffer | undefined

  async function arrive(): Promise<void> {
    const { done, value } = await source.next()
    if (done === true) throw malformed('The form ends before its closing boundary.')
    bytes = Buffer.concat([bytes, value])
  }

  async function* readUntil(end: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = bytes.indexOf(end)
      // A part of the end may be the last that has arrived.
      const to = at === -1 ? Math.max(bytes.length - end.length + 1, 0) : at
      const found = bytes.subarray(0, to)
      bytes = bytes.subarray(at === -1 ? to : at + end.length)
      if (at !== -1) lastFound = end
      if (found.length > 0) yield found
      if (at !== -1) return
      await arrive()
    }
  }

  return {
    async startsWith(text: string): Promise<boolean> {
      while (bytes.length < text.length) await arrive()
      return bytes.subarray(0, text.length).toString('latin1') === text
    },

    /** What is before an end, of at most so many bytes. */
    async take(end: Buffer, bytesMax: number): Promise<Buffer> {
      for (;;) {
        const at = bytes.indexOf(end)
        if (at > bytesMax || (at === -1 && bytes.length > bytesMax + end.length)) throw longHead()
        if (at !== -1) {
          const found = bytes.subarray(0, at)
          bytes = bytes.subarray(at + end.length)
          return found
        }
        await arrive()
      }
    },

    /** What is before an end, as it arrives. */
    until(end: Buffer): AsyncGenerator<Buffer> {
      // At once, not when the generator runs: it may never be asked for anything.
      lastFound = undefined
      return readUntil(end)
    },

    /** Whether the last reading `until` this end has reached it. */
    hasReached: (end: Buffer) => lastFound === end,
  }
}

async function skip(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of content);
}
