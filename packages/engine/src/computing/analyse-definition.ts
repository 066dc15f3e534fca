import {
  canonicalJson,
  canonicalYaml,
  type Diagnostic,
  parseDefinition,
  parseFunction,
  type Positions,
  validateDefinition,
} from '@millrace/dsl'
import { compileSchema } from '#compile/schema.ts'
import { unsupportedIn } from '#compile/unsupported.ts'
import type { Json } from '#core/json.ts'
import type { Analysis, DefinitionJob, SourceRange, RangesJob, ResourceJob, ResourceReading } from './thread-job.ts'

const checkValue = (document: Json, value: Json) => compileSchema({ document })(value)

/** Reads a definition from its text, or from an object, whose text is then its canonical YAML, and reports all errors in it. */
export function analyseDefinition({ given, functions }: Pick<DefinitionJob, 'given' | 'functions'>): Analysis {
  const nothing = { canonical: '', unsupported: [], secrets: [] }
  if (typeof given !== 'string') {
    // As YAML it may be a hundred times as long, so the limits are checked first, as JSON.
    const { diagnostics } = parseDefinition(JSON.stringify(given), { format: 'json' })
    if (diagnostics.length > 0) return { ...nothing, source: '', syntax: 'yaml', definition: undefined, diagnostics }
  }
  const source = typeof given === 'string' ? given : canonicalYaml(given)
  const parsed = parseDefinition(source)
  const { definition, diagnostics } = validateDefinition(parsed, { functions, checkValue })
  const read = { source, syntax: parsed.format, definition, diagnostics }
  if (definition === undefined) return { ...nothing, ...read }
  const at = (pointer: string) => placeOf(parsed.positions, pointer)
  return {
    ...read,
    canonical: canonicalJson(definition),
    // Resources are fetched when the definition is published, so they may still be missing here.
    unsupported: unsupportedIn(definition, { functions, resources: {} }).map(({ pointer, what }) => ({
      ...at(pointer),
      message: sentence(what),
    })),
    secrets: (definition.use?.secrets ?? []).map((_name, index) => at(`/use/secrets/${index}`)),
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

/** The ranges of the values at these pointers in a text, or of the nearest values around them. */
export function findPlaces({ source, pointers }: Pick<RangesJob, 'source' | 'pointers'>): readonly SourceRange[] {
  if (pointers.length === 0) return []
  const { positions } = parseDefinition(source)
  return pointers.map((pointer) => placeOf(positions, pointer))
}

function placeOf(positions: Positions, pointer: string): SourceRange {
  const { start, end } = positions.nearest(pointer)
  return { pointer, line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}

/** Reads a schema or a function that a definition names by URL. */
export function readResource({ resource, text, functions }: Omit<ResourceJob, 'kind'>): ResourceReading {
  if (resource === 'schema') {
    const { document, diagnostics } = parseDefinition(text)
    return document === undefined ? { ok: false, why: diagnostics[0]?.message ?? 'it cannot be read' } : { ok: true, content: document }
  }
  const { function: task, diagnostics } = parseFunction(text, { functions, checkValue })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A function is parsed JSON; its type only names what is in it.
  return task === undefined ? { ok: false, why: reasonOf(diagnostics) } : { ok: true, content: task as unknown as Json }
}

function reasonOf(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({ severity }) => severity === 'error')
  return first === undefined ? 'it cannot be read' : `line ${first.line}: ${first.message}`
}
