import { pointerOf } from '#src/parse/pointer.ts'
import type { Path } from '#src/parse/pointer.ts'
import { fieldReads } from './field-reads.ts'
import { isRuntimeExpression } from './runtime-expression.ts'

/** The variables of the account that a definition reads as `$variables.NAME`. */
export interface NamedVariables {
  /** JSON Pointer of the first use of each name. */
  readonly names: ReadonlyMap<string, string>
  /** Whether an expression also reads `$variables` in another way, such as `$variables[.name]`: then any variable may be read. */
  readonly any: boolean
}

const mention = /\$variables\b/g

/** Finds the variables that a definition names. Text that is not an expression may count as well, which is harmless. */
export function variablesNamed(definition: unknown): NamedVariables {
  const names = new Map<string, string>()
  let any = false
  const visit = (value: unknown, path: Path | undefined): void => {
    if (typeof value === 'string') {
      if (!value.includes('$variables')) return
      const reads = fieldReads(value).filter(({ variable }) => variable === 'variables')
      for (const { field } of reads) if (!names.has(field)) names.set(field, pointerOf(path))
      if ((value.match(mention)?.length ?? 0) > reads.length && (isRuntimeExpression(value) || reads.length === 0)) any = true
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, { parent: path, key: Array.isArray(value) ? Number(key) : key })
    }
  }
  visit(definition, undefined)
  return { names, any }
}
