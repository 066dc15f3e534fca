import { type Definition, type Diagnostic, eachTask } from '@millrace/dsl'
import type { JsonObject } from '@millrace/engine'
import type { ReadDefinition } from './definition.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { usesOf } from './requirements.ts'

export interface AccountWarningDeps {
  readonly reader: Pick<DefinitionReader, 'errorsAt'>
  /** Why no person could decide an approval with these arguments; undefined if one could, or if that is not known. */
  readonly approvalProblem: (accountId: string, args: JsonObject) => Promise<Pick<Diagnostic, 'code' | 'message'> | undefined>
  /** The subset of the names that connections of the account have. */
  readonly connectionsNamed: (accountId: string, names: readonly string[]) => Promise<ReadonlySet<string>>
}

/**
 * Adds a warning for each approval that no person can decide, and for each connection that the account does not have. People may join and connections
 * may be added later, so that they are no errors.
 */
export async function withAccountWarnings(deps: AccountWarningDeps, accountId: string, read: ReadDefinition): Promise<ReadDefinition> {
  const found = [...(await approvalWarnings(deps, accountId, read)), ...(await connectionWarnings(deps, accountId, read))]
  return found.length === 0 ? read : { ...read, stored: { ...read.stored, warnings: [...read.stored.warnings, ...found] } }
}

const otherApprovers = 'Name other approvers, or invite a user.'
const otherApproversOrStarter = 'Name other approvers, invite a user, or set `excludeStarter: false`.'

async function approvalWarnings({ reader, approvalProblem }: AccountWarningDeps, accountId: string, read: ReadDefinition) {
  const findings = []
  for (const { args, pointer } of approvalsOf(read.definition)) {
    const problem = await approvalProblem(accountId, args)
    if (problem !== undefined) findings.push({ ...problem, pointer })
  }
  const found = findings.length === 0 ? [] : await reader.errorsAt(accountId, read, findings)
  return found.flatMap((one) => asWarnings([one], one.code === 'starter_only_approval' ? otherApproversOrStarter : otherApprovers))
}

async function connectionWarnings({ reader, connectionsNamed }: AccountWarningDeps, accountId: string, read: ReadDefinition) {
  const { connections } = usesOf(read.definition)
  if (connections.size === 0) return []
  const present = await connectionsNamed(accountId, [...connections.keys()])
  const findings = [...connections].flatMap(([name, pointer]) =>
    present.has(name)
      ? []
      : [{ code: 'missing_connection' as const, message: `The account has no connection with the name ${JSON.stringify(name)}.`, pointer }],
  )
  return asWarnings(
    findings.length === 0 ? [] : await reader.errorsAt(accountId, read, findings),
    'Add it before the workflow runs: POST /api/v1/connections.',
  )
}

function asWarnings(found: readonly Diagnostic[], hint: string): readonly Diagnostic[] {
  return found.map((one) => ({ ...one, severity: 'warning', hint }))
}

function approvalsOf(definition: Definition): readonly { readonly args: JsonObject; readonly pointer: string }[] {
  return [...eachTask(definition)].flatMap(({ kind, task, pointer }) => {
    if (kind !== 'call' || task.call !== 'approve') return []
    return [{ args: task.with ?? {}, pointer: `${pointer}/with/approvers` }]
  })
}
