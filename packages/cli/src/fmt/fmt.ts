import { formatDefinition } from '@millrace/dsl/format'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { usageFailure } from '#command/failure.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import { replaceFile } from '#definitions/replace-file.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface FmtRequest {
  readonly files: readonly string[]
  readonly check: boolean
}

/** Formats files in place, or lists those that are not formatted. Nothing is written when one of them cannot be read. */
export async function fmt({ files, check }: FmtRequest, terminal: Terminal): Promise<ExitCode> {
  const found: { readonly file: string; readonly before: string; readonly text: string }[] = []
  for (const file of files) {
    const before = await readText(file, terminal.stdin, 'a definition')
    const result = formatDefinition(before)
    if (!result.ok)
      throw usageFailure(`${file}:${result.line}: ${result.detail}`, '"millrace validate" shows the place and what to write instead.')
    found.push({ file, before, text: result.text })
  }
  const changed = found.filter(({ before, text }) => before !== text)
  if (check) {
    for (const { file } of changed) terminal.stdout.write(`${file}\n`)
    return changed.length === 0 ? exitCodes.ok : exitCodes.failed
  }
  for (const { file, text } of found.filter((each) => each.file === standardInput || changed.includes(each))) {
    if (file === standardInput) terminal.stdout.write(text)
    else {
      await replaceFile(file, text)
      terminal.stdout.write(`${file}\n`)
    }
  }
  return exitCodes.ok
}
