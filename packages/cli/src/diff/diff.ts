import { type DefinitionChange, diffDefinitions, readDocument } from '@millrace/dsl/diff'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { usageFailure } from '#command/failure.ts'
import { readText } from '#definitions/read-text.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface DiffRequest {
  readonly before: string
  readonly after: string
  readonly json: boolean
}

/** Prints how two definitions differ. */
export async function diff({ before, after, json }: DiffRequest, terminal: Terminal): Promise<ExitCode> {
  const old = documentOf(before, await readText(before, terminal.stdin, 'a definition'))
  const young = documentOf(after, await readText(after, terminal.stdin, 'a definition'))
  const changes = diffDefinitions(old, young)
  const paint = createPaint(terminal.stdout)
  const lines = changes.map((change) => `${lineOf(change, paint)}\n`).join('')
  terminal.stdout.write(json ? `${JSON.stringify(changes, null, 2)}\n` : lines)
  return changes.length === 0 ? exitCodes.ok : exitCodes.failed
}

function documentOf(file: string, text: string): Readonly<Record<string, unknown>> {
  const read = readDocument(text)
  if (read.ok) return read.document
  throw usageFailure(`${file} cannot be compared: ${read.detail}.`, '"millrace validate" says what is wrong with it.')
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
