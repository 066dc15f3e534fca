import { type CheckedDefinition, checkDefinition, isError } from '#definitions/check-definition.ts'
import { type Family, findFamily } from '#definitions/family.ts'
import { formatDiagnostic } from '#definitions/format-diagnostic.ts'
import { type LoadedDefinition, loadDefinition } from '#definitions/load-definition.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** Reads a definition with those that it runs, and tells what is wrong with them; undefined when one of them cannot run. */
export async function loadFamily(file: string, others: readonly string[], quiet: boolean, terminal: Terminal): Promise<Family | undefined> {
  const texts = await Promise.all([file, ...others].map((path) => readText(path, terminal.stdin, 'a definition')))
  const checked = [file, ...others].map((path, index) =>
    checkDefinition(path === standardInput ? '<standard input>' : path, texts[index] ?? ''),
  )
  for (const one of checked) tell(one, quiet, terminal)
  const [root, ...rest] = checked.map(loadDefinition)
  if (root === undefined || rest.includes(undefined)) return undefined
  return findFamily(
    root,
    rest.filter((one): one is LoadedDefinition => one !== undefined),
  )
}

function tell(checked: CheckedDefinition, quiet: boolean, { stderr }: Terminal): void {
  const paint = createPaint(stderr)
  for (const diagnostic of checked.diagnostics) {
    if (!quiet || isError(diagnostic)) stderr.write(`${formatDiagnostic(checked, diagnostic, paint)}\n\n`)
  }
}
