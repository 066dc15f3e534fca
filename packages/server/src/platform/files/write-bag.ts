import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { ZipFile } from 'yazl'

/** A bag that is written file by file (BagIt 1.0, RFC 8493). */
export interface Bag {
  /** Adds a file of the payload, under `data/`. */
  add(name: string, content: string | Buffer): Promise<void>
  /** The same for a file of any size. */
  addStream(name: string, content: AsyncIterable<Uint8Array>): Promise<void>
}

/**
 * The bytes of a ZIP file with one bag. `fill` adds the files and returns what `bag-info.txt` says.
 * @param mtime of all files, so that the same content results in the same bytes.
 */
export async function* writeBag(
  { name, mtime }: { readonly name: string; readonly mtime: Date },
  fill: (bag: Bag) => Promise<Readonly<Record<string, string>>>,
): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream.pipe(new PassThrough())
  const stopped = new AbortController()
  const { bag, finish } = createBag(zip, { name, mtime, signal: stopped.signal })
  const filled = fill(bag)
    .then(finish)
    .catch((error: unknown) => {
      // The reader waits for the end of the ZIP file otherwise.
      output.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  try {
    for await (const part of output) yield Buffer.from(part)
  } finally {
    stopped.abort()
    await filled
  }
}

function createBag(zip: ZipFile, { name, mtime, signal }: { readonly name: string; readonly mtime: Date; readonly signal: AbortSignal }) {
  const manifest: string[] = []
  const options = { mtime, mode: 0o100644 }
  let octets = 0

  function put(path: string, content: string | Buffer): string {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    zip.addBuffer(bytes, `${name}/${path}`, options)
    return `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`
  }

  const bag: Bag = {
    async add(file, content) {
      signal.throwIfAborted()
      octets += Buffer.byteLength(content)
      manifest.push(put(`data/${file}`, content))
      // Lets the compressed bytes flow on before the next file.
      await setImmediate()
    },

    async addStream(file, content) {
      const path = `data/${file}`
      const hash = createHash('sha256')
      const counted = async function* () {
        for await (const part of content) {
          hash.update(part)
          octets += part.length
          yield part
        }
      }
      const stream = Readable.from(counted(), { objectMode: false })
      zip.addReadStream(stream, `${name}/${path}`, options)
      try {
        await finished(stream, { signal })
      } finally {
        stream.destroy()
      }
      manifest.push(`${hash.digest('hex')}  ${path}\n`)
    },
  }

  function finish(info: Readonly<Record<string, string>>): void {
    const lines = Object.entries({ ...info, 'Payload-Oxum': `${octets}.${manifest.length}` })
    const tags = [
      put('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'),
      put('bag-info.txt', lines.map(([label, value]) => `${label}: ${value}\n`).join('')),
      put('manifest-sha256.txt', manifest.join('')),
    ]
    put('tagmanifest-sha256.txt', tags.join(''))
    zip.end()
  }

  return { bag, finish }
}
