import { canonicalYaml, parseDefinition } from '@millrace/dsl'
import { type Imported, ImportError, importWorkflow } from '@millrace/dsl/import'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { usageFailure } from '#command/failure.ts'
import { checkDefinition, isError } from '#definitions/check-definition.ts'
import { readText } from '#definitions/read-text.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface ImportRequest {
  readonly file: string
  readonly json: boolean
}

/** Converts an export: the definition goes to standard output, the report to standard error. */
export async function runImport({ file, json }: ImportRequest, terminal: Terminal): Promise<ExitCode> {
  const { definition, report } = convert(file, await readText(file, terminal.stdin, 'an export'))
  const text = yamlOf(definition)
  const { diagnostics } = checkDefinition('imported.yaml', text)
  const errors = diagnostics.filter(isError)
  if (json) terminal.stdout.write(`${JSON.stringify({ definition, report, diagnostics }, null, 2)}\n`)
  else {
    terminal.stdout.write(text)
    terminal.stderr.write(summary(report))
    for (const { message, pointer } of errors) terminal.stderr.write(`error ${pointer}: ${message}\n`)
  }
  return report.parts.notConverted === 0 && errors.length === 0 ? exitCodes.ok : exitCodes.failed
}

function convert(file: string, text: string): Imported {
  if (text.trim() === '') throw usageFailure(`${file}: is empty`)
  try {
    return importWorkflow(valueOf(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageFailure(`${file}: is not JSON or YAML: ${error.message}`)
    if (error instanceof ImportError) throw usageFailure(`${file}${error.pointer}: ${error.message}`)
    throw error
  }
}

/** JSON, or YAML such as that of GitHub Actions. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { document } = parseDefinition(text)
    if (typeof document !== 'object' || document === null) throw error
    return document
  }
}

function yamlOf(definition: Imported['definition']): string {
  const parsed = parseDefinition(JSON.stringify(definition))
  return parsed.document === undefined ? `${JSON.stringify(definition, null, 2)}\n` : canonicalYaml(parsed.document)
}

function summary({ name, format, parts, findings, starts, triggers, secrets, variables }: Imported['report']): string {
  const { total, converted, adapted, notConverted } = parts
  const notes = findings.filter(({ outcome }) => outcome === 'note').length
  const lines = [
    `${name} (${format}): ${total} parts, ${converted} converted, ${adapted} to check, ${notConverted} not converted, ${notes} notes`,
    ...findings.map(({ outcome, pointer, part, reason }) => `${outcome.replace('_', ' ')} ${pointer} (${part}): ${reason}`),
    ...linesOf('starts once published:', starts),
    ...linesOf('create trigger', triggers),
    ...secrets.map(({ secret, usedBy }) => `secret ${secret}: used by ${usedBy.join(', ')}`),
    ...variables.map((variable) => `variable ${variable}`),
  ]
  return `${lines.join('\n')}\n`
}

function linesOf(what: string, starts: Imported['report']['triggers']): readonly string[] {
  return starts.flatMap(({ kind, name, settings }) =>
    requestsOf(settings).map(
      (request) => `${what} ${kind} (${name})${Object.keys(request).length === 0 ? '' : `: ${JSON.stringify(request)}`}`,
    ),
  )
}

/** The members of the operations that create the triggers: a trigger has one cron expression. */
function requestsOf({ crons, ...settings }: Imported['report']['triggers'][number]['settings']): readonly object[] {
  if (!Array.isArray(crons)) return [{ ...settings, ...(crons === undefined ? {} : { crons }) }]
  return crons.length === 0 ? [settings] : crons.map((cron: unknown) => ({ cron, ...settings }))
}
