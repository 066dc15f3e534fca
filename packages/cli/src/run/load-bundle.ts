import { UnsupportedError } from '@millrace/engine/definition'
import { Failure } from '#command/failure.ts'
import { type CheckedDefinition, checkDefinition, isError } from '#definitions/check-definition.ts'
import { type WorkflowBundle, collectBundle, type Load } from '#definitions/workflow-bundle.ts'
import { fetchResources, type ResourceSource } from '#definitions/fetch-resources.ts'
import { formatDiagnostic } from '#definitions/format-diagnostic.ts'
import { type LoadedDefinition, loadDefinition } from '#definitions/load-definition.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** Reads definitions, the root first, and prints their diagnostics; undefined when one of them cannot run. */
export async function checkFiles(
  files: readonly string[],
  quiet: boolean,
  terminal: Terminal,
): Promise<readonly CheckedDefinition[] | undefined> {
  const texts = await Promise.all(files.map((path) => readText(path, terminal.stdin, 'a definition')))
  const checked = files.map((path, index) => checkDefinition(path === standardInput ? '<standard input>' : path, texts[index] ?? ''))
  for (const one of checked) printDiagnostics(one, quiet, terminal)
  return checked.some(({ definition }) => definition === undefined) ? undefined : checked
}

/** Compiles definitions, the root first, with their external resources and the workflows that they run. */
export async function loadBundle(checked: readonly CheckedDefinition[], source: ResourceSource): Promise<WorkflowBundle> {
  const load: Load = async (one) => compile(one, await fetchResources(one, source))
  // One after another: there are few, and only the first failure is reported.
  const loaded: LoadedDefinition[] = []
  for (const one of checked) {
    const ready = await load(one)
    if (ready !== undefined) loaded.push(ready)
  }
  const [root, ...others] = loaded
  if (root === undefined) throw new Error('there was no definition to load')
  return collectBundle(root, others, load)
}

/** Throws a failure for features that functions from elsewhere need and that this release lacks. */
function compile(checked: CheckedDefinition, resources: Parameters<typeof loadDefinition>[1]): LoadedDefinition | undefined {
  try {
    return loadDefinition(checked, resources)
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error
    throw new Failure(error.unsupported.map(({ pointer, what }) => `${checked.file}: ${pointer}: ${what}`).join('\n       '))
  }
}

function printDiagnostics(checked: CheckedDefinition, quiet: boolean, { stderr }: Terminal): void {
  const paint = createPaint(stderr)
  for (const diagnostic of checked.diagnostics) {
    if (!quiet || isError(diagnostic)) stderr.write(`${formatDiagnostic(checked, diagnostic, paint)}\n\n`)
  }
}
