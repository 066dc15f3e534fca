import { createHash } from 'node:crypto'
import { Fault, type JsonValue } from '@millrace/contract'
import {
  canonicalJson,
  canonicalYaml,
  type Definition,
  type Diagnostic,
  featuresNeeded,
  lackOf,
  parseDefinition,
  validateDefinition,
} from '@millrace/dsl'
import { compileSchema, type FunctionManifest, unsupportedIn } from '@millrace/engine'
import type { KeptDefinition, TriggerKind } from './model.ts'

/** A definition that validates, and what this installation makes of it. */
export interface ReadDefinition {
  readonly definition: Definition
  readonly kept: KeptDefinition
  readonly triggers: readonly TriggerKind[]
  /** What keeps a valid definition from running here: it can be a draft, and it cannot be published. */
  readonly obstacles: readonly Diagnostic[]
  /** An error at a place of the text. */
  readonly errorAt: (finding: Obstacle) => Diagnostic
}

/**
 * Reads a definition from its text, or from an object, whose text is then its canonical YAML.
 *
 * Faults: `workflow_invalid` with every diagnostic.
 * @param secrets names of the secrets that the account has.
 * @param functions the default catalog.
 */
export function readDefinition(
  given: string | object,
  secrets: ReadonlySet<string>,
  functions: readonly FunctionManifest[] = [],
): ReadDefinition {
  const source = typeof given === 'string' ? given : textOf(given)
  const parsed = parseDefinition(source)
  const { definition, diagnostics } = validateDefinition(parsed, {
    functions,
    checkValue: (document, value) => compileSchema({ document })(value),
  })
  if (definition === undefined) throw invalid(diagnostics)
  const canonical = canonicalJson(definition)
  const errorAt = ({ pointer, ...finding }: Obstacle): Diagnostic => {
    const { start, end } = parsed.positions.nearest(pointer)
    return { ...finding, severity: 'error', pointer, line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
  }
  const obstacles = [...missingSecrets(definition, secrets), ...unsupportedParts(definition, functions)].map(errorAt)
  const kept: KeptDefinition = {
    json: JSON.stringify(JSON.parse(canonical)),
    source,
    syntax: parsed.format,
    checksum: sha256(canonical),
    warnings: [
      ...diagnostics,
      ...[...obstacles, ...notFired(definition).map(errorAt)].map((found) => ({ ...found, severity: 'warning' as const })),
    ],
  }
  return { definition, kept, triggers: triggersOf(definition), obstacles, errorAt }
}

/** An object as its canonical YAML, which may be a hundred times as long: it is held against the limits first, as JSON. */
function textOf(given: object): string {
  const { diagnostics } = parseDefinition(JSON.stringify(given), { format: 'json' })
  if (diagnostics.length > 0) throw invalid(diagnostics)
  return canonicalYaml(given)
}

/** Reads what is kept again; it validated when it was saved. */
export function definitionOf(kept: Pick<KeptDefinition, 'json'>): Definition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `readDefinition` out of a Definition.
  return JSON.parse(kept.json) as Definition
}

/** Refuses a definition that this installation cannot run. */
export function assertRunnable({ obstacles }: ReadDefinition): void {
  if (obstacles.length > 0) throw invalid(obstacles, 'The definition is valid, but this installation cannot run it; see `diagnostics`.')
}

/** Refuses a definition for what it takes from elsewhere. */
export function refuseResources(diagnostics: readonly Diagnostic[]): never {
  throw invalid(diagnostics, 'The definition is valid, but what it takes from elsewhere cannot be used; see `diagnostics`.')
}

/** A diagnostic as it stands on the wire. */
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

type Obstacle = Pick<Diagnostic, 'code' | 'pointer' | 'message' | 'hint'>

/** What is elsewhere is fetched when it is published, so nothing needs to be there yet. */
function unsupportedParts(definition: Definition, functions: readonly FunctionManifest[]): Obstacle[] {
  return unsupportedIn(definition, { functions, resources: {} }).map(({ pointer, what }) => {
    return { code: 'unsupported_feature', pointer, message: sentence(what) }
  })
}

/** A schedule is read and checked, and the workflow can be started in other ways; what starts it by its schedule is not there yet. */
function notFired(definition: Definition): Obstacle[] {
  return featuresNeeded(definition)
    .filter(({ feature }) => feature.startsWith('schedule.'))
    .map(({ feature, pointer }) => ({ code: 'unsupported_feature', pointer, ...lackOf(feature) }))
}

function missingSecrets({ use }: Definition, secrets: ReadonlySet<string>): Obstacle[] {
  return (use?.secrets ?? []).flatMap((name, index): Obstacle[] => {
    if (secrets.has(name)) return []
    const message = `There is no secret "${name}" here.`
    return [{ code: 'unknown_secret', pointer: `/use/secrets/${index}`, message, hint: 'Create it, or remove it from the list.' }]
  })
}

function triggersOf({ schedule }: Definition): TriggerKind[] {
  const triggers: TriggerKind[] = ['manual']
  if (schedule?.every !== undefined || schedule?.cron !== undefined || schedule?.after !== undefined) triggers.push('schedule')
  if (schedule?.on !== undefined) triggers.push('event')
  return triggers
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
