import { JqSyntaxError } from '@millrace/jq'
import { type Budget, constant, objectOf, type Traced, traceProgram, unknown } from '@millrace/jq/tracing'
import { isRuntimeExpression, unwrapExpression } from '#src/expression/runtime-expression.ts'
import type { Json } from '#src/json.ts'
import { chooseByKey, chooseByType } from '#src/shape/choose.ts'
import type { Shape } from '#src/shape/shape.ts'
import { reservedVariables } from '#src/shape/stage.ts'
import { isObject } from '#src/shape/variables.ts'

/** What an expression sees, and where its reads are noted. */
export interface Sight {
  readonly dot: Traced
  readonly variables: ReadonlyMap<string, Traced>
  readonly found: (path: string, sure: boolean) => void
  readonly budget: Budget
}

const unknownVariables: readonly (readonly [string, Traced])[] = Array.from(reservedVariables, (name) => [name, unknown])

/** Variables with what is known of them; the others of the language are there too. */
export function variablesOf(known: Iterable<readonly [string, Traced]>): ReadonlyMap<string, Traced> {
  return new Map([...unknownVariables, ...known])
}

/** The value of a jq source; unknown where it does not compile, which is a finding elsewhere. */
export function valueOf(source: string, { dot, ...sight }: Sight, as: 'value' | 'condition' = 'value'): Traced {
  try {
    return traceProgram(source, { ...sight, input: dot, as })
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    return unknown
  }
}

/** The value of data in which each string that is wholly `${ … }` is an expression. */
export function valueOfData(data: Json, sight: Sight): Traced {
  if (isRuntimeExpression(data)) return valueOf(unwrapExpression(data), sight)
  if (Array.isArray(data)) {
    for (const item of data) valueOfData(item, sight)
    return unknown
  }
  if (!isObject(data)) return constant(data)
  return objectOf(new Map(Object.entries(data).map(([name, item]) => [name, valueOfData(item, sight)])), true)
}

/** The value of data, or of a string that is always an expression. */
export function valueOfTransformation(data: Json, sight: Sight): Traced {
  return typeof data === 'string' ? valueOf(unwrapExpression(data), sight) : valueOfData(data, sight)
}

export function readCondition(data: Json | undefined, sight: Sight): void {
  if (typeof data === 'string') valueOf(unwrapExpression(data), sight, 'condition')
}

/** Evaluates what is below a shape, without tasks. */
export function readBelow(shape: Shape, value: Json, sight: Sight): void {
  switch (shape.kind) {
    case 'any':
      valueOfData(value, sight)
      return
    case 'string':
      return readText(shape, value, sight)
    case 'object':
      if (isObject(value))
        for (const [key, item] of Object.entries(value)) {
          const inside = shape.properties.get(key)?.shape ?? shape.rest
          if (inside !== undefined) readBelow(inside, item, sight)
        }
      return
    case 'map':
      if (isObject(value)) for (const item of Object.values(value)) readBelow(shape.values, item, sight)
      return
    case 'list':
      if (Array.isArray(value)) for (const item of value) readBelow(shape.items, item, sight)
      return
    case 'union': {
      const chosen = chooseByType(shape, value)
      return chosen === undefined ? undefined : readBelow(chosen, value, sight)
    }
    case 'keyed':
      return readBelow(chooseByKey(shape, value), value, sight)
    default:
  }
}

const templateName = /\{(\w+)\}/g

function readText({ reading, format }: Extract<Shape, { kind: 'string' }>, value: Json, sight: Sight): void {
  if (typeof value !== 'string' || reading === 'literal' || reading === 'code') return
  const isEvaluated: boolean = reading === 'expression' || isRuntimeExpression(value)
  if (isEvaluated) valueOf(unwrapExpression(value), sight)
  // A template of a URI reads members of the input by their names.
  else if (format === 'uri') for (const [, name] of value.matchAll(templateName)) valueOf(`.[${JSON.stringify(name)}]`, sight)
}
