import type { Diagnostic } from '@millrace/dsl'
import { applyChanges } from '@millrace/dsl/edit'
import { type Fixed, fixText } from '@millrace/dsl/fix'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { checkDefinition, isError, validateOptions } from '#definitions/check-definition.ts'
import { countText } from '#definitions/format-diagnostic.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import { replaceFile } from '#definitions/replace-file.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { printable } from '#terminal/printable.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface FixRequest {
  readonly files: readonly string[]
  readonly write: boolean
  readonly all: boolean
}

/** Prints the corrections of definitions, and writes them when asked to. */
export async function fix({ files, write, all }: FixRequest, terminal: Terminal): Promise<ExitCode> {
  const left: Diagnostic[] = []
  for (const file of files) {
    const isInput = file === standardInput
    const text = await readText(file, terminal.stdin, 'a definition')
    const name = isInput ? '<standard input>' : file
    const { parsed, known } = checkDefinition(name, text)
    const found = fixText(text, { ...validateOptions(known), syntax: parsed.format, all })
    const out = isInput ? terminal.stderr : terminal.stdout
    out.write(changesText(name, text, found.fixed, createPaint(out)))
    if (isInput) terminal.stdout.write(found.text)
    else if (write && found.text !== text) await replaceFile(file, found.text)
    left.push(...found.left)
  }
  if (left.length > 0) terminal.stderr.write(`Left: ${countText(left)}. "millrace validate" shows them.\n`)
  return left.some(isError) ? exitCodes.failed : exitCodes.ok
}

/** Each correction with the lines that it changes. */
function changesText(file: string, text: string, fixed: readonly Fixed[], paint: Paint): string {
  let current = text
  const blocks = fixed.map(({ diagnostic, fix: { title, changes } }) => {
    const next = applyChanges(current, changes)
    const { before, after } = changedLines(current, next)
    current = next
    const place = paint.bold(`${file}:${diagnostic.line}:${diagnostic.column}:`)
    return [
      `${place} ${printable(title)} ${paint.dim(`(${diagnostic.code})`)}`,
      ...before.map((line) => paint.red(`  - ${printable(line)}`)),
      ...after.map((line) => paint.green(`  + ${printable(line)}`)),
      '',
    ].join('\n')
  })
  return blocks.join('')
}

function changedLines(before: string, after: string): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, now.length)
  let from = 0
  while (from < most && old[from] === now[from]) from++
  let end = 0
  while (end < most - from && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  return { before: old.slice(from, old.length - end), after: now.slice(from, now.length - end) }
}
