import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { pipeline as finishedPipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { ByteRange } from '#platform/http/index.ts'
import {
  chunkSizes,
  deleteFile,
  deleteParts,
  deleteUnfinished,
  findFile,
  finishFile,
  insertChunk,
  insertFile,
  insertLink,
  listParts,
  moveFile,
  readChunk,
  replacedKind,
  type StoredFile,
  uploadKind,
  useLink,
} from './file-store.ts'

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

/** The parts that a file is made of. They are kept until it is complete. */
export interface PartsRequest {
  readonly accountId: string
  /** That of the file. */
  readonly owner: string
  readonly names: readonly string[]
  /** The time of what the parts have. */
  readonly readAt: Date
  readonly expiresAt: Date
  readonly signal: AbortSignal
  /** Called for each part that no earlier attempt has made. */
  readonly make: (name: string) => AsyncIterable<Uint8Array>
  /** Called with the number of parts that are made. */
  readonly onMade: (done: number) => Promise<void>
}

type ContentOf = Pick<StoredFile, 'accountId' | 'id'>

/** Content of a file that has no owner yet. */
export interface Received {
  readonly id: string
  readonly bytes: number
  /** As hexadecimal digits. */
  readonly sha256: string
}

/** The file is larger than its limit. */
export class FileTooLarge extends Error {}

const chunkBytes = 512 * 1024
const partBytesMax = 100 * 1024 ** 3
const linkLifeMs = 15 * 60 * 1000
/** For content that no owner takes, because its process died. It is longer than an upload. */
const uploadLifeMs = 2 * 60 * 60 * 1000
/** For readers that have begun. */
const replacedLifeMs = 5 * 60 * 1000

/** Keeps files of accounts in chunks in the database, and makes links for single downloads. */
export type Files = ReturnType<typeof createFiles>

export function createFiles({ db, now, newId, randomBytes }: FilesDeps) {
  async function* chunksOf(executor: Kysely<Rows>, { accountId, id }: ContentOf, { from, to }: ByteRange) {
    let at = 0
    for (const [index, size] of (await chunkSizes(executor, accountId, id)).entries()) {
      const [first, last] = [Math.max(from - at, 0), Math.min(to - at, size)]
      at += size
      if (first >= last) continue
      const content = await readChunk(executor, accountId, id, index)
      if (content === undefined) throw new Error('the file was deleted while it was read')
      yield content.subarray(first, last)
    }
  }

  const openIn = (executor: Kysely<Rows>, file: ContentOf, range: ByteRange): Readable =>
    Readable.from(chunksOf(executor, file, range), { objectMode: false })
  const open = (file: ContentOf, range: ByteRange): Readable => openIn(db, file, range)

  async function write(
    accountId: string,
    file: NewFile & Pick<StoredFile, 'createdAt'> & { readonly isPart: boolean },
    content: AsyncIterable<Uint8Array>,
  ): Promise<Received> {
    const id = newId()
    await insertFile(db, accountId, { ...file, id })
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
    const digest = hash.digest()
    await finishFile(db, accountId, id, { bytes, sha256: digest })
    return { id, bytes, sha256: digest.toString('hex') }
  }

  return {
    open,
    /** Opens a file in a transaction, which has to last until it is read. */
    openIn,

    /** Writes a stream. The file is visible when it is complete. @returns the id. */
    async put(accountId: string, file: NewFile, content: AsyncIterable<Uint8Array>): Promise<string> {
      await deleteUnfinished(db, accountId, file.owner)
      return (await write(accountId, { ...file, createdAt: new Date(now()), isPart: false }, content)).id
    },

    /** Writes a stream that gets its owner by `give`. What is not complete, or gets none, is deleted. */
    async receive(
      accountId: string,
      file: Pick<NewFile, 'name' | 'media' | 'bytesMax'>,
      content: AsyncIterable<Uint8Array>,
    ): Promise<Received> {
      const owner = `${uploadKind}:${newId()}`
      const times = { createdAt: new Date(now()), expiresAt: new Date(now() + uploadLifeMs) }
      try {
        return await write(accountId, { ...file, ...times, owner, isPart: false }, content)
      } catch (error) {
        await deleteUnfinished(db, accountId, owner)
        throw error
      }
    },

    /** Gives a file to another owner in a transaction. @returns false if it was deleted in the meantime. */
    give: (
      tx: Kysely<Rows>,
      accountId: string,
      id: string,
      to: { readonly owner: string; readonly expiresAt: Date | undefined },
    ): Promise<boolean> => moveFile(tx, accountId, id, to),

    /** Takes a file from its owner, who has another one. Who reads it can read on for some minutes. */
    async retire(tx: Kysely<Rows>, accountId: string, id: string): Promise<void> {
      await moveFile(tx, accountId, id, { owner: `${replacedKind}:${id}`, expiresAt: new Date(now() + replacedLifeMs) })
    },

    delete: (executor: Kysely<Rows>, accountId: string, id: string) => deleteFile(executor, accountId, id),

    /** Makes the parts that an earlier attempt has not made: after a kill of the process, the work continues after the last complete part. */
    async makeParts({ accountId, owner, names, readAt: createdAt, expiresAt, signal, make, onMade }: PartsRequest): Promise<void> {
      await deleteUnfinished(db, accountId, owner)
      const made = new Set((await listParts(db, accountId, owner)).map(({ name }) => name))
      const file = { owner, media: 'application/gzip', createdAt, expiresAt, bytesMax: partBytesMax, isPart: true }
      await onMade(made.size)
      for (const name of names.filter((each) => !made.has(each))) {
        signal.throwIfAborted()
        const content = (compressed: AsyncIterable<Uint8Array>) => write(accountId, { ...file, name }, compressed)
        // They are read once: fast is better than small.
        await finishedPipeline(make(name), createGzip({ level: 1 }), content, { signal })
        made.add(name)
        await onMade(made.size)
      }
    },

    /** The content of a part, and the time that it is of. */
    async openPart(accountId: string, owner: string, name: string): Promise<{ readonly content: Readable; readonly readAt: Date }> {
      const [part] = await listParts(db, accountId, owner, name)
      if (part === undefined) throw new Error('a part of a file was deleted while the file was made')
      // An error of the first stream is one of the second as well, whose reader has it.
      const content = pipeline(open(part, { from: 0, to: part.bytes }), createGunzip(), () => undefined)
      return { content, readAt: part.createdAt }
    },

    /** Deletes the parts of a file that is complete or will not be. */
    deleteParts: (executor: Kysely<Rows>, accountId: string, owner: string) => deleteParts(executor, accountId, owner),

    /** A complete file that has not expired. */
    find: (executor: Kysely<Rows>, accountId: string, id: string) => findFile(executor, accountId, id, new Date(now())),

    /** Makes a link for one download. Fault `not_found` for a file that was deleted meanwhile. */
    async link(executor: Kysely<Rows>, accountId: string, fileId: string) {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(now() + linkLifeMs)
      const isThere = await insertLink(executor, accountId, { tokenHash: hashOf(token), fileId, expiresAt })
      if (!isThere) throw new Fault('not_found', { detail: 'The file was deleted.' })
      return { token, expiresAt }
    },

    /** Uses a link up. @returns undefined for a link that does not exist, has expired, was used, or is of a file of another kind of owner. */
    async follow(token: string, kind: string): Promise<StoredFile | undefined> {
      const at = new Date(now())
      const used = await useLink(db, hashOf(token), kind, at)
      return used && findFile(db, used.accountId, used.fileId, at)
    },
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
