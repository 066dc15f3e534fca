import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { findFile, finishFile, insertChunk, insertFile, insertLink, readChunk, type StoredFile, useLink } from './file-store.ts'

export interface FilesDeps {
  /** Sees the rows of every account. */
  readonly db: Kysely<Rows>
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface NewFile {
  /** The thing that the file belongs to, as `kind:id`. */
  readonly owner: string
  readonly name: string
  readonly media: string
  readonly expiresAt: Date
  /** More bytes are an error. */
  readonly bytesMax: number
}

/** The file is larger than its limit. */
export class FileTooLarge extends Error {}

const chunkBytes = 512 * 1024
const linkLifeMs = 15 * 60 * 1000

/** Keeps files of accounts in chunks in the database, and makes links for single downloads. */
export type Files = ReturnType<typeof createFiles>

export function createFiles({ db, now, newId, randomBytes }: FilesDeps) {
  async function* chunksOf({ accountId, id }: StoredFile) {
    for (let index = 0; ; index++) {
      const content = await readChunk(db, accountId, id, index)
      if (content === undefined) return
      yield content
    }
  }

  return {
    /** Writes a stream. The file is visible when it is complete; what an attempt that died had written expires. @returns the id. */
    async put(accountId: string, file: NewFile, content: AsyncIterable<Uint8Array>): Promise<string> {
      const id = newId()
      await insertFile(db, accountId, { ...file, id, createdAt: new Date(now()) })
      const hash = createHash('sha256')
      let waiting: Uint8Array[] = []
      let [size, bytes, index] = [0, 0, 0]
      const flush = async () => {
        if (size === 0) return
        await insertChunk(db, accountId, id, { index: index++, content: Buffer.concat(waiting) })
        waiting = []
        size = 0
      }
      for await (const part of content) {
        hash.update(part)
        waiting.push(part)
        size += part.length
        bytes += part.length
        if (bytes > file.bytesMax) throw new FileTooLarge(`The file has more than ${file.bytesMax} bytes.`)
        if (size >= chunkBytes) await flush()
      }
      await flush()
      await finishFile(db, accountId, id, { bytes, sha256: hash.digest() })
      return id
    },

    /** A complete file that has not expired. */
    find: (executor: Kysely<Rows>, accountId: string, id: string) => findFile(executor, accountId, id, new Date(now())),

    open: (file: StoredFile): Readable => Readable.from(chunksOf(file), { objectMode: false }),

    /** Makes a link for one download. */
    async link(executor: Kysely<Rows>, accountId: string, fileId: string) {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(now() + linkLifeMs)
      await insertLink(executor, accountId, { tokenHash: hashOf(token), fileId, expiresAt })
      return { token, expiresAt }
    },

    /** Uses a link up. @returns undefined for a link that does not exist, has expired or was used. */
    async follow(token: string): Promise<StoredFile | undefined> {
      const at = new Date(now())
      const used = await useLink(db, hashOf(token), at)
      return used && findFile(db, used.accountId, used.fileId, at)
    },
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
