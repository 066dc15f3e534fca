import type { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import { findInputAndOutput } from '@millrace/engine/storage'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { StoredFile } from '#platform/files/file-store.ts'
import { type Files, FileTooLarge, type Received } from '#platform/files/files.ts'
import type { ByteRange } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import {
  bytesOfAccountFiles,
  countFiles,
  deleteAccountFile,
  findById,
  findByName,
  findByNameEver,
  findOfExecution,
  keepFiles,
  listFiles,
  lockFiles,
  putFile,
  type UndecidedFile,
  undecidedFiles,
} from './account-file-store.ts'
import { fileNamesIn } from './file-names-in.ts'
import { filesOfExecution, parsed, shownMax } from './files-of-execution.ts'
import { searchText, type SoughtText } from './search-text.ts'
import { type AccountFile, type FileDetails, filesMax } from './model.ts'

/** Fault `quota_exceeded` if the account may not store so many bytes more. @returns how many would still be free after them. */
type StorageCheck = (executor: Kysely<Rows>, more: number) => Promise<number>

export interface AccountFilesDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  readonly files: Pick<Files, 'receive' | 'give' | 'retire' | 'delete' | 'open' | 'openIn' | 'link' | 'follow'>
  /** Reads how much the account may store, before a transaction. */
  readonly storageOf: (accountId: string) => Promise<StorageCheck>
  readonly now: () => number
  readonly newId: () => string
}

/** Content that has arrived whole and has no name yet. */
export interface Upload extends Received {
  readonly assertStorage: StorageCheck
}

type NamedFile = Pick<AccountFile, 'id' | 'name' | 'writtenBy'>

export interface FoundFiles {
  readonly matching: readonly NamedFile[]
  /** That are no text, such as pictures and archives. */
  readonly unreadable: readonly NamedFile[]
  /** That are too large. */
  readonly unsearched: readonly NamedFile[]
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
   * @param bytes what the sender announces, which is refused before it is read if it has no room; 0 if nothing is announced.
   */
  async function receive(
    accountId: string,
    { name, media }: Pick<FileDetails, 'name' | 'media'>,
    { content, bytes, bytesMax }: { readonly content: AsyncIterable<Uint8Array>; readonly bytes: number; readonly bytesMax: number },
  ): Promise<Upload> {
    const assertStorage = await storageOf(accountId)
    const existing = await findByName(database.system, accountId, name, at())
    const room = bytes + (await assertStorage(database.system, bytes - (existing?.bytes ?? 0)))
    try {
      return { ...(await files.receive(accountId, { name, media, bytesMax: Math.min(room, bytesMax) }, content)), assertStorage }
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error
      if (room < bytesMax) await assertStorage(database.system, room + 1 - (existing?.bytes ?? 0))
      throw new Fault('payload_too_large', { detail: `A file has at most ${bytesMax} bytes.`, cause: error })
    }
  }

  /** Gives an upload its name. A file with this name is replaced as a whole: readers see one content or the other. */
  async function publish(tx: Tx, accountId: string, upload: Upload, details: FileDetails): Promise<AccountFile> {
    const { name, media, writtenBy, expiresInMs, startKey } = details
    await lockFiles(tx, accountId)
    const found = await findByNameEver(tx, accountId, name)
    const updatedAt = at()
    const before = found?.expiresAt === undefined || found.expiresAt > updatedAt ? found : undefined
    await upload.assertStorage(tx, upload.bytes - (found?.bytes ?? 0))
    if (found === undefined && (await countFiles(tx, accountId)) >= filesMax)
      throw new Fault('conflict', { detail: `The account has ${filesMax} files. Delete some that are not needed.` })
    if (found !== undefined) await files.retire(tx, accountId, found.fileId)
    if (found !== undefined && before === undefined) await deleteAccountFile(tx, accountId, found.id)
    const expiresAt = expiresInMs === undefined ? undefined : new Date(updatedAt.getTime() + expiresInMs)
    if (!(await files.give(tx, accountId, upload.id, { owner: `${fileKind}:${upload.id}`, expiresAt })))
      throw new Fault('conflict', { detail: 'The upload took too long and was deleted. Send it again.' })
    const { id: fileId, bytes, sha256 } = upload
    const executionId = fromTypeId('exec', writtenBy.replace(/^execution:/, ''))
    const times = { createdAt: updatedAt, updatedAt, expiresAt }
    return putFile(
      tx,
      accountId,
      { id: newId(), accountId, name, fileId, media, bytes, sha256, writtenBy, executionId, ...times },
      startKey,
    )
  }

  /** The content is deleted some minutes later: it may be large, or be read. Its row is locked before that of the name, as by the deletion of expired files. */
  async function forget(tx: Kysely<Rows>, { accountId, id, fileId }: AccountFile): Promise<void> {
    await files.retire(tx, accountId, fileId)
    await deleteAccountFile(tx, accountId, id)
  }

  /** All files of an account, by their names. */
  async function* allFiles(executor: Kysely<Rows>, accountId: string): AsyncGenerator<AccountFile> {
    for (let after: string | undefined; ; ) {
      const page = await listFiles(executor, accountId, { prefix: '', after, limit: pageFiles, at: at() })
      yield* page
      after = page.at(-1)?.name
      if (after === undefined) return
    }
  }

  async function filesOfForm(executor: Kysely<Rows>, accountId: string, folder: string): Promise<readonly AccountFile[]> {
    const found = await listFiles(executor, accountId, { prefix: `${folder}/`, after: undefined, limit: pageFiles, at: at() })
    return found.filter(({ writtenBy }) => writtenBy.startsWith('trigger:'))
  }

  /** Deletes an upload, and the file that it has become. */
  const discard = (accountId: string, upload: Pick<Upload, 'id'>) => files.delete(database.system, accountId, upload.id)

  return {
    receive,
    publish,
    discard,

    /** Keeps the files of uploads that were published for a start, which has succeeded. */
    keep: (accountId: string, uploads: readonly Pick<Upload, 'id'>[], executionId: string) =>
      keepFiles(
        database.system,
        accountId,
        uploads.map(({ id }) => id),
        executionId,
      ),

    /**
     * Decides about files whose process died before it knew whether their start had succeeded.
     * @param startedWith the id of the execution that was started with a file.
     * @returns how many.
     */
    async settle(before: Date, limit: number, startedWith: (file: UndecidedFile) => Promise<string | undefined>): Promise<number> {
      const found = await undecidedFiles(database.system, before, limit)
      for (const file of found) {
        const { accountId, fileId } = file
        const executionId = await startedWith(file)
        await (executionId === undefined
          ? files.delete(database.system, accountId, fileId)
          : keepFiles(database.system, accountId, [fileId], executionId))
      }
      return found.length
    },

    /** Writes content that is in memory, in a transaction of its own. */
    async write(accountId: string, details: FileDetails, content: Uint8Array): Promise<AccountFile> {
      const bytes = content.length
      const upload = await receive(accountId, details, { content: slicesOf(content), bytes, bytesMax: bytes })
      try {
        return await database.account(accountId, (tx) => publish(tx, accountId, upload, details))
      } catch (error) {
        // One that cannot be discarded now has no name, and is deleted later.
        await discard(accountId, upload).catch(() => undefined)
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

    /** The files that belong to an execution and have one of these names. */
    ofExecution: (tx: Tx, accountId: string, executionId: string, names: readonly string[]) =>
      filesOfExecution(tx, accountId, { executionId, names, at: at() }),

    /** The files that belong to an execution: that it has itself, and of others those that its input and its output name. Fault `not_found`. */
    async ofWhole(tx: Tx, accountId: string, executionId: string): Promise<readonly AccountFile[]> {
      const data = await findInputAndOutput(tx, accountId, executionId)
      if (data === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
      const input = parsed(data.input)
      const names = fileNamesIn([input, parsed(data.output ?? 'null')])
      const named = await filesOfExecution(tx, accountId, { executionId, names, at: at(), input })
      const own = await findOfExecution(tx, accountId, executionId, { at: at(), limit: shownMax })
      return [...new Map([...named, ...own].map((file) => [file.id, file])).values()].slice(0, shownMax)
    },

    /** Makes a link for one download. */
    link: (tx: Tx, { accountId, fileId }: AccountFile) => files.link(tx, accountId, fileId),

    /** The content behind a link, which works once. Fault `not_found`. */
    async follow(token: string): Promise<StoredFile> {
      const file = await files.follow(token, fileKind)
      if (file !== undefined) return file
      throw new Fault('not_found', { detail: 'This link does not exist, has expired, or was used. Make a new one.' })
    },

    openStored: files.open,

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
          for await (const file of allFiles(tx, accountId))
            await visit(file, files.openIn(tx, { accountId, id: file.fileId }, { from: 0, to: file.bytes }))
          return true
        })
    },

    /** Searches the contents of all files. */
    async search(accountId: string, sought: readonly SoughtText[], signal: AbortSignal): Promise<FoundFiles> {
      const found = { found: [] as NamedFile[], unreadable: [] as NamedFile[], unsearched: [] as NamedFile[], absent: [] as NamedFile[] }
      let left = searchedBytesMax
      for await (const { id, name, writtenBy, fileId, bytes } of allFiles(database.system, accountId)) {
        signal.throwIfAborted()
        const isSearched = bytes <= left
        if (isSearched) left -= bytes
        const content = () => files.open({ accountId, id: fileId }, { from: 0, to: bytes })
        found[isSearched ? await searchText(content(), sought) : 'unsearched'].push({ id, name, writtenBy })
      }
      return { matching: found.found, unreadable: found.unreadable, unsearched: found.unsearched }
    },

    /** The files that were sent with one entry of a start form, by their folder. */
    ofForm: (executor: Kysely<Rows>, accountId: string, folder: string) => filesOfForm(executor, accountId, folder),

    /** Deletes the files that were sent with one entry of a start form. @returns how many. */
    async removeForm(tx: Kysely<Rows>, accountId: string, folder: string): Promise<number> {
      await lockFiles(tx, accountId)
      const sent = await filesOfForm(tx, accountId, folder)
      for (const file of sent) await forget(tx, file)
      return sent.length
    },

    /** @returns the file that was deleted. Fault `not_found`. */
    async remove(tx: Tx, accountId: string, id: string): Promise<AccountFile> {
      await lockFiles(tx, accountId)
      const file = present(await findById(tx, accountId, id, at()))
      await forget(tx, file)
      return file
    },

    /** Deletes the file of a name; one that does not exist is deleted. */
    async removeNamed(tx: Tx, accountId: string, name: string): Promise<void> {
      await lockFiles(tx, accountId)
      const file = await findByName(tx, accountId, name, at())
      if (file !== undefined) await forget(tx, file)
    },
  }
}

function present(file: AccountFile | undefined, name?: string): AccountFile {
  if (file !== undefined) return file
  throw new Fault('not_found', { detail: name === undefined ? 'There is no such file.' : `There is no file ${JSON.stringify(name)}.` })
}

/** Kind of the owner of the contents. */
const fileKind = 'file'
const sliceBytes = 512 * 1024
const pageFiles = 500
/** Of all files together: minutes of work. */
const searchedBytesMax = 4 * 1024 ** 3

async function* slicesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += sliceBytes) yield content.subarray(from, from + sliceBytes)
}
