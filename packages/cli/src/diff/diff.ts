import { type DefinitionChange, diffDefinitions, readDocument } from '@millrace/dsl/diff'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { usageFailure } from '#command/failure.ts'
import { readText } from '#definitions/read-text.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface DiffRequest {
  /** A file; undefined for what the server has published. */
  readonly before: string | undefined
  readonly after: string
  readonly url: string | undefined
  readonly json: boolean
}

type Members = Readonly<Record<string, unknown>>

/** Prints how two definitions differ. */
export async function diff({ before, after, url, json }: DiffRequest, terminal: Terminal): Promise<ExitCode> {
  const read = async (file: string) => documentOf(file, await readText(file, terminal.stdin, 'a definition'))
  const first = before === undefined ? undefined : await read(before)
  const young = await read(after)
  const old = first ?? (await publishedFor(after, young, url))
  const changes = diffDefinitions(old, young)
  const paint = createPaint(terminal.stdout)
  const lines = changes.map((change) => `${lineOf(change, paint)}\n`).join('')
  terminal.stdout.write(json ? `${JSON.stringify(changes, null, 2)}\n` : lines)
  return changes.length === 0 ? exitCodes.ok : exitCodes.failed
}

function documentOf(file: string, text: string): Members {
  const read = readDocument(text)
  if (read.ok) return read.document
  throw usageFailure(`${file} cannot be compared: ${read.detail}.`, '"millrace validate" says what is wrong with it.')
}

/** The published definition with the document name of a file. */
async function publishedFor(file: string, { document }: Members, url: string | undefined): Promise<Members> {
  const { namespace, name }: Members = isMembers(document) ? document : {}
  if (typeof namespace !== 'string' || typeof name !== 'string')
    throw usageFailure(`${file} cannot be compared: it has no document.namespace and document.name.`)
  const { readPublished } = await import('#remote/read-published.ts')
  return documentOf(`The published ${name}`, await readPublished({ namespace, name }, url))
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineOf(change: DefinitionChange, paint: Paint): string {
  const { path } = change
  switch (change.kind) {
    case 'added':
      return paint.green(`+ ${path}`)
    case 'removed':
      return paint.red(`- ${path}`)
    case 'renamed':
      return `= ${path} (was ${change.from})`
    case 'moved':
      return `^ ${path}`
    case 'changed':
      return `~ ${path === '' ? 'the document' : path}: ${change.members.join(', ')}`
  }
}
