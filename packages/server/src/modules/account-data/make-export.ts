import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Database } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Tx } from '#platform/http/index.ts'
import { dataCategories } from './categories.ts'
import { findExport, finishExport, saveProgress } from './export-store.ts'
import { readLines } from './read-tables.ts'

export interface ExportMakerDeps {
  readonly database: Pick<Database, 'system'>
  readonly files: Pick<Files, 'put'>
  readonly now: () => number
  /** In the transaction in which the export becomes ready. */
  readonly notifyReady: (tx: Tx, accountId: string) => Promise<void>
}

export const exportedCategories = dataCategories.filter(({ isExported }) => isExported)
export const exportLifeMs = 24 * 60 * 60 * 1000
const exportBytesMax = 20 * 1024 ** 3

/** Makes the file of an export. A repetition after a crash begins anew; an export that is ready stays as it is. */
export async function makeExport(deps: ExportMakerDeps, accountId: string, id: string, signal: AbortSignal): Promise<void> {
  const { database, files, now, notifyReady } = deps
  const found = await findExport(database.system, accountId, id)
  if (found === undefined || found.state !== 'preparing') return
  const name = toTypeId('exp', id)
  const content = writeBag(deps, { accountId, id, name, createdAt: found.createdAt, signal })
  const file = { owner: `export:${id}`, name: `${name}.zip`, media: 'application/zip', bytesMax: exportBytesMax }
  const fileId = await files.put(accountId, { ...file, expiresAt: new Date(now() + exportLifeMs) }, content)
  await database.system.transaction().execute(async (tx) => {
    if (await finishExport(tx, accountId, id, { fileId, at: new Date(now()) })) await notifyReady(tx, accountId)
  })
}

interface BagRequest {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly signal: AbortSignal
}

/** The bytes of a ZIP file with a bag (BagIt 1.0, RFC 8493). All tables are read in one snapshot. */
async function* writeBag(
  { database }: ExportMakerDeps,
  { accountId, id, name, createdAt, signal }: BagRequest,
): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const options = { mtime: createdAt, mode: 0o100644 }
  const failure = new AbortController()
  const put = (path: string, text: string) => {
    zip.addBuffer(Buffer.from(text), `${name}/${path}`, options)
    return `${createHash('sha256').update(text).digest('hex')}  ${path}\n`
  }
  const filling = database.system
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const manifest: string[] = []
      let octets = 0
      for (const [index, { category, tables }] of exportedCategories.entries()) {
        for (const table of tables) {
          signal.throwIfAborted()
          const path = `data/${category}/${table}.jsonl`
          const hash = createHash('sha256')
          const lines = Readable.from(
            counted(readLines(tx, accountId, table), (part) => {
              hash.update(part)
              octets += part.length
            }),
            { objectMode: false },
          )
          const ended = new Promise<void>((resolve, reject) => lines.once('end', resolve).once('error', reject).once('close', resolve))
          zip.addReadStream(lines, `${name}/${path}`, options)
          await ended
          manifest.push(`${hash.digest('hex')}  ${path}\n`)
        }
        await saveProgress(database.system, accountId, id, index + 1)
      }
      const readme = 'One file of JSON lines for each table; one line is one row. Secrets, hashes of passwords and tokens are left out.\n'
      octets += Buffer.byteLength(readme)
      manifest.push(put('data/README.txt', readme))
      const info = `Source-Organization: Millrace\nExternal-Identifier: ${name}\nBagging-Date: ${createdAt.toISOString().slice(0, 10)}\nPayload-Oxum: ${octets}.${manifest.length}\n`
      const tags = [
        put('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'),
        put('bag-info.txt', info),
        put('manifest-sha256.txt', manifest.join('')),
      ]
      put('tagmanifest-sha256.txt', tags.join(''))
      zip.end()
    })
    .catch((error: unknown) => {
      failure.abort(error)
      // The reader of the ZIP file waits for its end otherwise.
      zip.outputStream.emit('error', error)
    })
  for await (const part of zip.outputStream) yield Buffer.from(part)
  await filling
  failure.signal.throwIfAborted()
}

async function* counted(parts: AsyncGenerator<Buffer>, count: (part: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    count(part)
    yield part
  }
}
