import { buffer } from 'node:stream/consumers'
import { fileNameProblem } from '@millrace/contract'
import { type EffectCall, type Json, type JsonObject, standardError, textOf, WorkflowError } from '@millrace/engine'
import type { CodeConnector } from '#modules/connectors/code/code-connector.ts'
import { type Action, lifeIn, platformFunction } from '#modules/connectors/code/platform-function.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import { fileView } from './file-view.ts'
import {
  deleteInput,
  deleteOutput,
  getInput,
  getOutput,
  listInput,
  listOutput,
  putInput,
  putOutput,
  readBytesMax,
  statInput,
  statOutput,
} from './files-manifests.ts'

export interface FilesConnectorDeps {
  readonly database: Pick<Database, 'account'>
  /** They are ready soon after the start of the process. */
  readonly accountFiles: Promise<AccountFiles>
}

const pageDefault = 100

/** `files.put`, `files.get`, `files.stat`, `files.list` and `files.delete`: files that the platform keeps for the account. */
export function createFilesConnector({ database, accountFiles }: FilesConnectorDeps): CodeConnector {
  const performed = (action: Action<AccountFiles>) => platformFunction(accountFiles, action)

  const named = (files: AccountFiles, { accountId }: EffectCall, name: string) =>
    database.account(accountId, (tx) => files.named(tx, accountId, name))

  const put: Action<AccountFiles> = async (files, { accountId, executionId }, args) => {
    const name = nameIn(args)
    const { content, type } = contentIn(args)
    const media = textOf(args['contentType']) ?? type
    const details = { name, media, writtenBy: `execution:${toTypeId('exec', executionId)}`, expiresInMs: lifeIn(args) }
    return fileView(await files.write(accountId, details, content))
  }

  const get: Action<AccountFiles> = async (files, call, args) => {
    const file = await named(files, call, nameIn(args))
    const from = Math.min(typeof args['offset'] === 'number' ? args['offset'] : 0, file.bytes)
    const to = typeof args['length'] === 'number' ? Math.min(from + args['length'], file.bytes) : file.bytes
    if (to - from > readBytesMax)
      throw standardError(
        'validation',
        `The file has ${file.bytes} bytes, and at most ${readBytesMax} are read at once: give offset and length.`,
      )
    const content = await buffer(files.open(file, { from, to }))
    return { ...fileView(file), ...readAs(textOf(args['as']), content) }
  }

  const stat: Action<AccountFiles> = async (files, call, args) => fileView(await named(files, call, nameIn(args)))

  const list: Action<AccountFiles> = async (files, { accountId }, { prefix, limit, cursor }) => {
    const size = typeof limit === 'number' ? limit : pageDefault
    const after = cursor === undefined ? undefined : nameIn({ name: cursor })
    const beginning = (textOf(prefix) ?? '').normalize('NFC')
    if (beginning.includes('\0')) throw standardError('validation', 'The prefix has the character NUL, which no name has.')
    const page = { prefix: beginning, after, limit: size + 1 }
    const found = await database.account(accountId, (tx) => files.list(tx, accountId, page))
    const shown = found.slice(0, size)
    return { files: shown.map(fileView), nextCursor: found.length > size ? (shown.at(-1)?.name ?? null) : null }
  }

  /** A file that does not exist is deleted: a repetition is harmless. */
  const remove: Action<AccountFiles> = async (files, { accountId }, args) => {
    const name = nameIn(args)
    await database.account(accountId, (tx) => files.removeNamed(tx, accountId, name))
    return { name }
  }

  return {
    name: 'files',
    title: 'Files of the platform',
    version: '1.0.0',
    functions: [
      { name: 'put', summary: 'Writes a file.', input: putInput, output: putOutput, perform: performed(put) },
      { name: 'get', summary: 'Reads a file, or a part of it.', input: getInput, output: getOutput, perform: performed(get) },
      {
        name: 'stat',
        summary: 'Says what is known of a file, without its content.',
        input: statInput,
        output: statOutput,
        perform: performed(stat),
      },
      { name: 'list', summary: 'Lists files by their names.', input: listInput, output: listOutput, perform: performed(list) },
      { name: 'delete', summary: 'Deletes a file.', input: deleteInput, output: deleteOutput, perform: performed(remove) },
    ],
  }
}

function nameIn(args: JsonObject): string {
  const name = (textOf(args['name']) ?? '').normalize('NFC')
  const problem = fileNameProblem(name)
  if (problem !== undefined) throw standardError('validation', `The name of the file is not valid. ${problem}`)
  return name
}

function contentIn({ text, contentBase64, json }: JsonObject): { readonly content: Buffer; readonly type: string } {
  if (json !== undefined) return { content: Buffer.from(JSON.stringify(json)), type: 'application/json' }
  if (contentBase64 === undefined) return { content: Buffer.from(textOf(text) ?? ''), type: 'text/plain; charset=utf-8' }
  const encoded = (textOf(contentBase64) ?? '').replaceAll(/\s+/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    return { content: Buffer.from(encoded, 'base64'), type: 'application/octet-stream' }
  throw standardError('validation', '/contentBase64 is not base64.')
}

function readAs(as: string | undefined, content: Buffer): JsonObject {
  if (as !== 'text' && as !== 'json') return { contentBase64: content.toString('base64') }
  const text = decoded(content)
  if (as === 'text') return { text }
  try {
    const json: Json = JSON.parse(text)
    return { json }
  } catch (error) {
    throw invalid('The file is not JSON: read it as text.', error)
  }
}

function decoded(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (error) {
    throw invalid('The file, or the part of it, is not text in UTF-8: read it as base64.', error)
  }
}

function invalid(detail: string, cause: unknown): WorkflowError {
  return new WorkflowError(standardError('validation', detail).data, { cause })
}
