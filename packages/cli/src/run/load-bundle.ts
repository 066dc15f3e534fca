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

/** Reads definitions, the first of which is to be run, and tells what is wrong with them; undefined when one of them cannot run. */
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

/** Makes definitions ready to run, with what they take from elsewhere and with the workflows that they run; the first is the root. */
export async function loadBundle(checked: readonly CheckedDefinition[], source: ResourceSource): Promise<WorkflowBundle> {
  const load: Load = async (one) => compile(one, await fetchResources(one, source))
  // One after another: there are few, and the first that fails is told alone.
  const loaded: LoadedDefinition[] = []
  for (const one of checked) {
    const ready = await load(one)
    if (ready !== undefined) loaded.push(ready)
  }
  const [root, ...others] = loaded
  if (root === undefined) throw new Error('there was no definition to load')
  return collectBundle(root, others, load)
}

/** Only now it is known what functions from elsewhere need. */
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
