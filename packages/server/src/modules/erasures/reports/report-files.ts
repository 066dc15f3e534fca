import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import type { Bag } from '#platform/files/write-bag.ts'
import { toTypeId } from '#platform/ids.ts'
import type { ErasedFiles, NamedFile } from '#modules/erasures/form-files.ts'
import type { Needle } from '#modules/erasures/needles.ts'
import { formFilesOf } from '#modules/erasures/persons/find-person.ts'
import type { ReviewedFiles } from './report-store.ts'

/** Opens the content of a file of an account; undefined if it is not kept any more. */
export type OpenFile = (accountId: string, id: string) => Promise<{ readonly content: Readable; readonly bytes: number } | undefined>

const foldersMax = 10_000
const namesMax = 20
/** Of all contents in a report. */
const contentBytesMax = 1024 ** 3

const FoundFile = z.object({ id: z.string(), name: z.string() })
const FoundFiles = z.object({
  /** Sent with a start form of the person, or with the data in their content. */
  matching: z.array(FoundFile.extend({ isOfForm: z.boolean() })),
  unreadable: z.array(FoundFile),
  unsearched: z.array(FoundFile),
})
export type FoundFiles = z.infer<typeof FoundFiles>

export interface FilesRequest {
  readonly db: Kysely<Rows>
  readonly files: Pick<ErasedFiles, 'search' | 'ofForm'>
  readonly accountId: string
  readonly needles: readonly Needle[]
}

/** The files with the data of a person, and those that cannot be searched, as JSON. */
export async function* filesLines({ db, files, accountId, needles }: FilesRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
  const ofForms = await formFilesOf({ db, files }, { accountId, needles }, foldersMax)
  const { matching, unreadable, unsearched } = await files.search(accountId, needles, signal)
  const ids = new Set(ofForms.map(({ id }) => id))
  const others = (found: readonly NamedFile[]) => found.filter(({ id }) => !ids.has(id))
  const named = ({ id, name }: NamedFile) => ({ id, name })
  const found: FoundFiles = {
    matching: [
      ...ofForms.map((file) => ({ ...named(file), isOfForm: true })),
      ...others(matching).map((file) => ({ ...named(file), isOfForm: false })),
    ],
    unreadable: others(unreadable).map(named),
    unsearched: others(unsearched).map(named),
  }
  yield Buffer.from(JSON.stringify(found))
}

export async function readFound(content: AsyncIterable<Uint8Array>): Promise<FoundFiles> {
  return FoundFiles.parse(JSON.parse(Buffer.concat(await Array.fromAsync(content)).toString('utf8')))
}

/** A file whose content is in a report. */
export interface AddedFile {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly isOfForm: boolean
}

/** Adds the contents of files, as long as there is room. @returns those that were added, and those that people have to look into. */
export async function addFiles(
  bag: Bag,
  { matching, unreadable, unsearched }: FoundFiles,
  { accountId, openFile, signal }: { readonly accountId: string; readonly openFile: OpenFile; readonly signal: AbortSignal },
): Promise<{ readonly added: readonly AddedFile[]; readonly review: readonly ReviewedFiles[] }> {
  const added: AddedFile[] = []
  const leftOut: { readonly id: string; readonly name: string }[] = []
  let left = contentBytesMax
  for (const { id, name, isOfForm } of matching) {
    signal.throwIfAborted()
    const opened = await openFile(accountId, id)
    if (opened === undefined) continue
    if (opened.bytes > left) {
      opened.content.destroy()
      leftOut.push({ id, name })
      continue
    }
    left -= opened.bytes
    const path = `files/${added.length + 1}-${safeName(name)}`
    await bag.addStream(path, opened.content)
    added.push({ id: toTypeId('file', id), name, path, isOfForm })
  }
  if (added.length > 0) await bag.add('records/attached-files.json', `${JSON.stringify(added, undefined, 1)}\n`)
  const reviewed = (kind: ReviewedFiles['kind'], files: readonly { readonly id: string; readonly name: string }[]) =>
    files.length === 0 ? [] : [{ kind, count: files.length, files: files.slice(0, namesMax) }]
  return {
    added,
    review: [...reviewed('unreadable', unreadable), ...reviewed('too_large', unsearched), ...reviewed('left_out', leftOut)],
  }
}

/** The last part of a name, without what a file system or a manifest reads otherwise; a page or a program opens as a text. */
function safeName(name: string): string {
  const plain = (name.split('/').at(-1) ?? '').replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(-100)
  return activeTypes.test(plain) ? `${plain}.txt` : plain
}

const activeTypes = /\.(?:x?html?|xht|mht(?:ml)?|svgz?|xml|xsl|js|mjs|hta|bat|cmd|com|exe|msi|ps1|vbs|scr|lnk|sh|app|jar|url)$/i
