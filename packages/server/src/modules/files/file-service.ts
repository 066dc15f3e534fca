import type { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Files, Received } from '#platform/files/files.ts'
import type { ByteRange } from '#platform/http/index.ts'
import {
  bytesOfAccountFiles,
  countFiles,
  findById,
  findByName,
  findByNameEver,
  listFiles,
  lockFiles,
  putFile,
} from './account-file-store.ts'
import { type AccountFile, type FileDetails, filesMax } from './model.ts'

/** Fault `quota_exceeded` if the account may not store so many bytes more. */
type StorageCheck = (executor: Kysely<Rows>, more: number) => Promise<void>

export interface AccountFilesDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  readonly files: Pick<Files, 'receive' | 'give' | 'retire' | 'delete' | 'open' | 'openIn'>
  /** Reads how much the account may store, before a transaction. */
  readonly storageOf: (accountId: string) => Promise<StorageCheck>
  readonly now: () => number
  readonly newId: () => string
}

/** Content that has arrived whole and has no name yet. */
export interface Upload extends Received {
  readonly assertStorage: StorageCheck
}

export interface FilePage {
  readonly prefix: string
  readonly after: string | undefined
  readonly limit: number
}

/** Writes, reads, lists and deletes the files of accounts. */
export type AccountFiles = ReturnType<typeof createAccountFiles>

export function createAccountFiles({ database, files, storageOf, now, newId }: AccountFilesDeps) {
  const at = () => new Date(now())

  /**
   * Reads content into a file that has no name yet. Its end is `publish` or `discard`.
   * @param bytes what the sender announces, which is refused before it is read if it has no room.
   */
  async function receive(
    accountId: string,
    { name, media }: Pick<FileDetails, 'name' | 'media'>,
    { content, bytes, bytesMax }: { readonly content: AsyncIterable<Uint8Array>; readonly bytes: number; readonly bytesMax: number },
  ): Promise<Upload> {
    const assertStorage = await storageOf(accountId)
    const existing = await findByName(database.system, accountId, name, at())
    await assertStorage(database.system, bytes - (existing?.bytes ?? 0))
    return { ...(await files.receive(accountId, { name, media, bytesMax }, content)), assertStorage }
  }

  /** Gives an upload its name. A file with this name is replaced as a whole: readers see one content or the other. */
  async function publish(tx: Tx, accountId: string, upload: Upload, details: FileDetails): Promise<AccountFile> {
    const { name, media, writtenBy, expiresInMs } = details
    await lockFiles(tx, accountId)
    const found = await findByNameEver(tx, accountId, name)
    const updatedAt = at()
    const before = found?.expiresAt === undefined || found.expiresAt > updatedAt ? found : undefined
    if (found !== undefined && before === undefined) await files.delete(tx, accountId, found.fileId)
    await upload.assertStorage(tx, upload.bytes - (before?.bytes ?? 0))
    if (before === undefined && (await countFiles(tx, accountId)) >= filesMax)
      throw new Fault('conflict', { detail: `The account has ${filesMax} files. Delete some that are not needed.` })
    // Before the row of the name: in this order the deletion of expired files locks them as well.
    if (before !== undefined) await files.retire(tx, accountId, before.fileId)
    const expiresAt = expiresInMs === undefined ? undefined : new Date(updatedAt.getTime() + expiresInMs)
    if (!(await files.give(tx, accountId, upload.id, { owner: `file:${upload.id}`, expiresAt })))
      throw new Fault('conflict', { detail: 'The upload took too long and was deleted. Send it again.' })
    const { id: fileId, bytes, sha256 } = upload
    return putFile(tx, accountId, {
      id: newId(),
      accountId,
      name,
      fileId,
      media,
      bytes,
      sha256,
      writtenBy,
      createdAt: updatedAt,
      updatedAt,
      expiresAt,
    })
  }

  const discard = (accountId: string, upload: Upload) => files.delete(database.system, accountId, upload.id)

  return {
    receive,
    publish,
    discard,

    /** Writes content that is in memory, in a transaction of its own. */
    async write(accountId: string, details: FileDetails, content: Uint8Array): Promise<AccountFile> {
      const bytes = content.length
      const upload = await receive(accountId, details, { content: slicesOf(content), bytes, bytesMax: bytes })
      try {
        return await database.account(accountId, (tx) => publish(tx, accountId, upload, details))
      } catch (error) {
        await discard(accountId, upload)
        throw error
      }
    },

    list: (tx: Tx, accountId: string, page: FilePage) => listFiles(tx, accountId, { ...page, at: at() }),

    /** Fault `not_found`. */
    async find(tx: Tx, accountId: string, id: string): Promise<AccountFile> {
      return present(await findById(tx, accountId, id, at()))
    },

    /** Fault `not_found`. */
    async named(tx: Tx, accountId: string, name: string): Promise<AccountFile> {
      return present(await findByName(tx, accountId, name, at()), name)
    },

    /** Reads the content, or a part of it, in its stored chunks. */
    open({ fileId, ...file }: AccountFile, range: ByteRange): Readable {
      return files.open({ ...file, id: fileId }, range)
    },

    /**
     * Calls `visit` with each file and its content, in one snapshot.
     * @returns false, without a call, if all contents together have more than `bytesMax`.
     */
    readAll(accountId: string, bytesMax: number, visit: (file: AccountFile, content: Readable) => Promise<void>): Promise<boolean> {
      return database.system
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          if ((await bytesOfAccountFiles(tx, accountId)) > bytesMax) return false
          for (let after: string | undefined; ; ) {
            const page = await listFiles(tx, accountId, { prefix: '', after, limit: pageFiles, at: at() })
            for (const file of page) await visit(file, files.openIn(tx, { accountId, id: file.fileId }, { from: 0, to: file.bytes }))
            after = page.at(-1)?.name
            if (after === undefined) return true
          }
        })
    },

    /** @returns the file that was deleted. Fault `not_found`. */
    async remove(tx: Tx, accountId: string, id: string): Promise<AccountFile> {
      await lockFiles(tx, accountId)
      const file = present(await findById(tx, accountId, id, at()))
      await files.delete(tx, accountId, file.fileId)
      return file
    },

    /** Deletes the file of a name; one that does not exist is deleted. */
    async removeNamed(tx: Tx, accountId: string, name: string): Promise<void> {
      await lockFiles(tx, accountId)
      const file = await findByName(tx, accountId, name, at())
      if (file !== undefined) await files.delete(tx, accountId, file.fileId)
    },
  }
}

function present(file: AccountFile | undefined, name?: string): AccountFile {
  if (file !== undefined) return file
  throw new Fault('not_found', { detail: name === undefined ? 'There is no such file.' : `There is no file ${JSON.stringify(name)}.` })
}

const sliceBytes = 512 * 1024
const pageFiles = 500

async function* slicesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += sliceBytes) yield content.subarray(from, from + sliceBytes)
}
