import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { type CheckedDefinition, checkDefinition, isError } from '#definitions/check-definition.ts'
import { countText, formatDiagnostic } from '#definitions/format-diagnostic.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import { startNote } from '#definitions/start-note.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface ValidateRequest {
  readonly files: readonly string[]
  readonly json: boolean
  readonly quiet: boolean
}

/** Checks definitions and prints what is wrong with them, which is the result and so goes to standard output. */
export async function validate(request: ValidateRequest, terminal: Terminal): Promise<ExitCode> {
  const texts = await Promise.all(request.files.map((file) => readText(file, terminal.stdin, 'a definition')))
  const checked = request.files.map((file, index) =>
    checkDefinition(file === standardInput ? '<standard input>' : file, texts[index] ?? ''),
  )
  terminal.stdout.write(request.json ? `${JSON.stringify(report(checked), null, 2)}\n` : listing(checked, request, terminal))
  return checked.every(isValid) ? exitCodes.ok : exitCodes.failed
}

function isValid({ diagnostics }: CheckedDefinition): boolean {
  return !diagnostics.some(isError)
}

function report(checked: readonly CheckedDefinition[]) {
  const files = checked.map((one) => ({ file: one.file, valid: isValid(one), diagnostics: one.diagnostics }))
  return { valid: files.every(({ valid }) => valid), files }
}

function listing(checked: readonly CheckedDefinition[], { quiet }: ValidateRequest, terminal: Terminal): string {
  const paint = createPaint(terminal.stdout)
  const blocks = checked.flatMap((one) => {
    const found = one.diagnostics.map((diagnostic) => `${formatDiagnostic(one, diagnostic, paint)}\n\n`)
    if (found.length > 0 || quiet) return found
    return [`${one.file}: ${paint.green('valid')}\n${startNote(one.definition, terminal.now())}`]
  })
  const all = checked.flatMap(({ diagnostics }) => diagnostics)
  const files = checked.length === 1 ? '' : ` in ${checked.length} files`
  const total = all.length === 0 && (quiet || checked.length === 1) ? '' : `${countText(all)}${files}\n`
  return `${blocks.join('')}${total}`
}
