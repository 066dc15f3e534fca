import { createHash } from 'node:crypto'
import { Fault, type JsonValue } from '@millrace/contract'
import { type Definition, type Diagnostic, suggest } from '@millrace/dsl'
import type { Analysis, Place } from '@millrace/engine'
import type { StoredDefinition, TriggerKind } from './model.ts'

/** A valid definition in its stored form, with its triggers and the reasons why this installation cannot run it. */
export interface ReadDefinition {
  readonly definition: Definition
  readonly stored: StoredDefinition
  readonly triggers: readonly TriggerKind[]
  /** The reasons why this installation cannot run the definition: it can be saved as a draft, but not published. */
  readonly obstacles: readonly Diagnostic[]
}

/**
 * Converts the analysis of a definition to its stored form and checks it against this installation.
 *
 * Faults: `workflow_invalid` with every diagnostic.
 * @param secrets names of the secrets that the account has.
 */
export function definitionRead(analysis: Analysis, secrets: ReadonlySet<string>): ReadDefinition {
  const { source, syntax, definition, diagnostics, canonical, unsupported } = analysis
  if (definition === undefined) throw invalid(diagnostics)
  const lacking = unsupported.map((feature): Diagnostic => ({ code: 'unsupported_feature', severity: 'error', ...feature }))
  const obstacles = [...missingSecrets(definition, analysis.secrets, secrets), ...lacking]
  const kept: StoredDefinition = {
    json: JSON.stringify(JSON.parse(canonical)),
    source,
    syntax,
    checksum: sha256(canonical),
    warnings: [...diagnostics, ...obstacles.map((found) => ({ ...found, severity: 'warning' as const }))],
  }
  return { definition, stored: kept, triggers: triggersOf(definition), obstacles }
}

/** Parses a stored definition, which was validated when it was saved. */
export function definitionOf(kept: Pick<StoredDefinition, 'json'>): Definition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `definitionRead` wrote it from a valid definition.
  return JSON.parse(kept.json) as Definition
}

/** Refuses a definition that this installation cannot run. */
export function assertRunnable({ obstacles }: ReadDefinition): void {
  if (obstacles.length > 0) throw invalid(obstacles, 'The definition is valid, but this installation cannot run it; see `diagnostics`.')
}

/** Refuses a definition because of its external resources. */
export function refuseResources(diagnostics: readonly Diagnostic[]): never {
  throw invalid(diagnostics, 'The definition is valid, but what it takes from elsewhere cannot be used; see `diagnostics`.')
}

/** A diagnostic as the API returns it. */
export function diagnosticView(diagnostic: Diagnostic) {
  const { code, severity, pointer, line, column, endLine, endColumn, message, hint, expression } = diagnostic
  return {
    code,
    severity,
    pointer,
    line,
    column,
    message,
    ...(endLine === undefined ? {} : { endLine }),
    ...(endColumn === undefined ? {} : { endColumn }),
    ...(hint === undefined ? {} : { hint }),
    ...(expression === undefined ? {} : { expression: { start: expression.start, end: expression.end } }),
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function invalid(diagnostics: readonly Diagnostic[], detail?: string): Fault {
  const extensions: Record<string, JsonValue> = { diagnostics: diagnostics.map(diagnosticView) }
  return new Fault('workflow_invalid', detail === undefined ? { extensions } : { detail, extensions })
}

function missingSecrets({ use }: Definition, places: readonly Place[], secrets: ReadonlySet<string>): Diagnostic[] {
  return places.flatMap((place, index): Diagnostic[] => {
    const name = use?.secrets?.[index] ?? ''
    if (secrets.has(name)) return []
    const message = `There is no secret "${name}" here.`
    const close = suggest(name, secrets)
    const hint = close === undefined ? secretHint : `Did you mean ${close}? Otherwise create it, or remove it from the list.`
    return [{ code: 'unknown_secret', severity: 'error', ...place, message, hint }]
  })
}

const secretHint = 'Create it on the page Variables or with "millrace variables --secret NAME", or remove it from the list.'

function triggersOf({ schedule }: Definition): TriggerKind[] {
  const triggers: TriggerKind[] = ['manual']
  if (schedule?.every !== undefined || schedule?.cron !== undefined || schedule?.after !== undefined) triggers.push('schedule')
  if (schedule?.on !== undefined) triggers.push('event')
  return triggers
}
