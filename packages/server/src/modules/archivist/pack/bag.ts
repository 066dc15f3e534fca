import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ZipFile } from 'yazl'

/** A bag that is written file by file into a ZIP file (BagIt 1.0, RFC 8493). */
export interface Bag {
  /** Adds a file of the payload, under `data/`. */
  add(name: string, content: string | Buffer): Promise<void>
  /** Adds the manifests; the stream of the ZIP file then ends. */
  finish(info: Readonly<Record<string, string>>): void
}

/** @param mtime of all files, so that the same content results in the same bytes. */
export function createBag(zip: ZipFile, name: string, mtime: Date): Bag {
  const manifest: string[] = []
  let octets = 0

  function put(path: string, content: string | Buffer): string {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    zip.addBuffer(bytes, `${name}/${path}`, { mtime, mode: 0o100644 })
    return `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`
  }

  return {
    async add(file, content) {
      octets += Buffer.byteLength(content)
      manifest.push(put(`data/${file}`, content))
      // Lets the compressed bytes flow on before the next file.
      await setImmediate()
    },
    finish(info) {
      const lines = { ...info, 'Payload-Oxum': `${octets}.${manifest.length}` }
      const tags = [
        put('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'),
        put(
          'bag-info.txt',
          Object.entries(lines)
            .map(([label, value]) => `${label}: ${value}\n`)
            .join(''),
        ),
        put('manifest-sha256.txt', manifest.join('')),
      ]
      put('tagmanifest-sha256.txt', tags.join(''))
      zip.end()
    },
  }
}
