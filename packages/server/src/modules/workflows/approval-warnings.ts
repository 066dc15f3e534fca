import { type Definition, type Diagnostic, eachTask } from '@millrace/dsl'
import type { JsonObject } from '@millrace/engine'
import type { ReadDefinition } from './definition.ts'
import type { DefinitionReader } from './definition-reader.ts'

export interface ApprovalWarningDeps {
  readonly reader: Pick<DefinitionReader, 'errorsAt'>
  /** Why no person could decide an approval with these arguments; undefined if one could, or if that is not known. */
  readonly approvalProblem: (accountId: string, args: JsonObject) => Promise<string | undefined>
}

/** Adds a warning for each approval that no person can decide. People may join later, so that it is no error. */
export async function withApprovalWarnings(
  { reader, approvalProblem }: ApprovalWarningDeps,
  accountId: string,
  read: ReadDefinition,
): Promise<ReadDefinition> {
  const findings = []
  for (const { args, pointer } of approvalsOf(read.definition)) {
    const message = await approvalProblem(accountId, args)
    if (message !== undefined) findings.push({ code: 'unanswerable_approval' as const, message, pointer })
  }
  if (findings.length === 0) return read
  const warnings = (await reader.errorsAt(accountId, read, findings)).map((found): Diagnostic => ({ ...found, ...asWarning }))
  return { ...read, stored: { ...read.stored, warnings: [...read.stored.warnings, ...warnings] } }
}

const asWarning = {
  severity: 'warning',
  hint: 'Name other approvers, invite a user, or set `excludeStarter: false`.',
} as const

function approvalsOf(definition: Definition): readonly { readonly args: JsonObject; readonly pointer: string }[] {
  return [...eachTask(definition)].flatMap(({ kind, task, pointer }) => {
    if (kind !== 'call' || task.call !== 'approve') return []
    return [{ args: task.with ?? {}, pointer: `${pointer}/with/approvers` }]
  })
}
