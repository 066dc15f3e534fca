import type { AccountFiles } from '#modules/files/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import { type Bag, writeBag } from '#platform/files/write-bag.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Tx } from '#platform/http/index.ts'
import { dataCategories } from './categories.ts'
import { failExport, findExport, finishExport, saveProgress } from './export-store.ts'
import { readLines } from './read-tables.ts'

export interface ExportMakerDeps {
  readonly database: Pick<Database, 'system'>
  readonly files: Pick<Files, 'put' | 'makeParts' | 'openPart' | 'deleteParts'>
  readonly accountFiles: Pick<AccountFiles, 'readAll'>
  readonly now: () => number
  /** In the transaction in which the export becomes ready. */
  readonly notifyReady: (tx: Tx, accountId: string) => Promise<void>
}

/** The tables of an export by the names of their files. */
export const exportedTables: ReadonlyMap<string, string> = new Map(
  dataCategories
    .filter(({ isExported }) => isExported)
    .flatMap(({ category, tables }) => tables.map((table) => [`${category}/${table}.jsonl`, table] as const)),
)
export const exportLifeMs = 24 * 60 * 60 * 1000
const exportBytesMax = 20 * 1024 ** 3
/** Contents of files beyond it are left out, so that everything else can still be exported. */
const contentBytesMax = 15 * 1024 ** 3

const ownerOf = (id: string) => `export:${id}`

/** Makes the file of an export. When an earlier attempt died, it continues after the last complete table. An export that is ready stays as it is. */
export async function makeExport(deps: ExportMakerDeps, accountId: string, id: string, signal: AbortSignal): Promise<void> {
  const { database, files, now, notifyReady } = deps
  const found = await findExport(database.system, accountId, id)
  if (found === undefined || found.state !== 'preparing') return
  const expiresAt = new Date(now() + exportLifeMs)
  await readTables(deps, { accountId, id, expiresAt, signal })
  const name = toTypeId('exp', id)
  const content = writeBag({ name, mtime: found.createdAt }, async (bag) => {
    await fillBag(deps, bag, { accountId, id, signal })
    return {
      'Source-Organization': 'Millrace',
      'External-Identifier': name,
      'Bagging-Date': found.createdAt.toISOString().slice(0, 10),
    }
  })
  const file = { owner: ownerOf(id), name: `${name}.zip`, media: 'application/zip', bytesMax: exportBytesMax, expiresAt }
  const fileId = await files.put(accountId, file, content)
  await database.system.transaction().execute(async (tx) => {
    if (await finishExport(tx, accountId, id, { fileId, at: new Date(now()) })) await notifyReady(tx, accountId)
    await files.deleteParts(tx, accountId, ownerOf(id))
  })
}

/** Ends an export whose job failed for the last time. */
export async function abandonExport(
  { database, files, now }: Pick<ExportMakerDeps, 'database' | 'files' | 'now'>,
  accountId: string,
  id: string,
): Promise<void> {
  const failure = 'The export could not be made. The log of the server names the reason.'
  await failExport(database.system, accountId, id, failure, new Date(now()))
  await files.deleteParts(database.system, accountId, ownerOf(id))
}

interface Making {
  readonly accountId: string
  readonly id: string
  readonly signal: AbortSignal
}

/** Reads the tables that no earlier attempt has read, in one snapshot. */
async function readTables({ database, files, now }: ExportMakerDeps, making: Making & { readonly expiresAt: Date }): Promise<void> {
  const { accountId, id } = making
  await database.system
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) =>
      files.makeParts({
        ...making,
        owner: ownerOf(id),
        names: [...exportedTables.keys()],
        readAt: new Date(now()),
        make: (name) => readLines(tx, accountId, exportedTables.get(name) ?? ''),
        onMade: (done) => saveProgress(database.system, accountId, id, done),
      }),
    )
}

async function fillBag({ files, accountFiles, now }: ExportMakerDeps, bag: Bag, { accountId, id, signal }: Making): Promise<void> {
  const read = new Map<string, string[]>()
  for (const name of exportedTables.keys()) {
    signal.throwIfAborted()
    const { content, readAt } = await files.openPart(accountId, ownerOf(id), name)
    await bag.addStream(name, content)
    const time = readAt.toISOString()
    read.set(time, [...(read.get(time) ?? []), name])
  }
  const readAt = new Date(now())
  const hasContents = await accountFiles.readAll(accountId, contentBytesMax, (file, content) => {
    signal.throwIfAborted()
    return bag.addStream(`files/contents/${file.id}`, content)
  })
  await bag.add('README.txt', readmeOf(read, hasContents ? readAt : undefined))
}

/** @param contentsAt when the contents of files were read; undefined if they are left out. */
function readmeOf(read: ReadonlyMap<string, readonly string[]>, contentsAt: Date | undefined): string {
  const snapshots = [...read].map(([time, names]) => `Read in one snapshot at ${time}:\n${names.map((name) => `- ${name}\n`).join('')}`)
  return [
    'One file of JSON lines for each table; one line is one row. Secrets, hashes of passwords and tokens are left out.\n',
    ...(read.size > 1 ? ['The export was interrupted and continued: tables of different snapshots may not match.\n'] : []),
    contentsAt === undefined
      ? 'The contents of the files are left out: they have more than 15 GiB. Download them one by one.\n'
      : `files/contents has the contents of the files, each under its id, read in one snapshot at ${contentsAt.toISOString()}. files/account_files.jsonl has their names.\n`,
    ...snapshots,
  ].join('\n')
}
