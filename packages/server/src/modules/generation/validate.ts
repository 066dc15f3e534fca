import { Fault, type JsonValue } from '@millrace/contract'
import type { Workflows } from '#modules/workflows/index.ts'

type Diagnostics = Awaited<ReturnType<Workflows['prepareCreate']>>['read']['stored']['warnings']

export type Validated =
  | { readonly ok: true; readonly warnings: Diagnostics }
  | { readonly ok: false; readonly findings: string; readonly diagnostics: JsonValue }

const findingsMax = 20

/** Validates a definition like a workflow that is created, without saving it. */
export async function validateText(workflows: Pick<Workflows, 'prepareCreate'>, accountId: string, text: string): Promise<Validated> {
  try {
    const { read } = await workflows.prepareCreate(accountId, { definition: text, publish: false })
    return { ok: true, warnings: read.stored.warnings }
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'workflow_invalid' && error.code !== 'request_invalid')) throw error
    const diagnostics = error.details.extensions?.['diagnostics'] ?? []
    return { ok: false, findings: findingsOf(diagnostics, error.message, text.split('\n')), diagnostics }
  }
}

const lineMax = 200

/** Findings as a model reads them: the place, the advice, and the line, which it would have to count otherwise. */
function findingsOf(diagnostics: JsonValue, otherwise: string, source: readonly string[]): string {
  if (!Array.isArray(diagnostics) || diagnostics.length === 0) return otherwise
  const lines = diagnostics.slice(0, findingsMax).map((found: JsonValue) => {
    const { severity, code, line, pointer, message, hint } = Object(found)
    const text = source[Number(line) - 1]?.slice(0, lineMax).trimEnd() ?? ''
    const shown = text.trim() === '' ? '' : `\n  ${line} | ${text}`
    return `- ${severity} ${code} at line ${line} (${pointer}): ${message}${typeof hint === 'string' ? ` ${hint}` : ''}${shown}`
  })
  return `The validator found:\n${lines.join('\n')}`
}
