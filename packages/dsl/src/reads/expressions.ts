import { JqSyntaxError } from '@millrace/jq'
import {
  type Absence,
  type Budget,
  constant,
  isWithout,
  memberNames,
  objectOf,
  type Traced,
  traceProgram,
  unknown,
} from '@millrace/jq/tracing'
import { isRuntimeExpression, locateExpression } from '#src/expression/runtime-expression.ts'
import type { Json } from '#src/json.ts'
import type { Path } from '#src/parse/pointer.ts'
import { chooseByKey, chooseByType } from '#src/shape/choose.ts'
import type { Shape } from '#src/shape/shape.ts'
import { reservedVariables } from '#src/shape/stage.ts'
import { isObject } from '#src/shape/variables.ts'

/** What an expression sees, and where its reads are noted. */
export interface Sight {
  readonly dot: Traced
  readonly variables: () => ReadonlyMap<string, Traced>
  readonly found: (path: string, sure: boolean) => void
  /** Called for members that an expression reads where they are certainly absent; other expressions are not followed then. */
  readonly lacks?: ((absence: Absence, at: WrittenExpression) => void) | undefined
  /** Called for each member that is read by a fixed name, with what is known of the value that it is read from. */
  readonly member?: ((of: Traced, name: string) => void) | undefined
  readonly budget: Budget
}

/** A jq source where it is written: `source` begins at `offset` of `value`. */
export interface WrittenExpression {
  readonly path: Path | undefined
  readonly value: string
  readonly source: string
  readonly offset: number
}

const unknownVariables: readonly (readonly [string, Traced])[] = Array.from(reservedVariables, (name) => [name, unknown])

/** Variables with what is known of them; the others of the language are there too. */
export function variablesOf(known: Iterable<readonly [string, Traced]>): ReadonlyMap<string, Traced> {
  return new Map([...unknownVariables, ...known])
}

/** The value of a jq source; unknown where it does not compile, which is a finding elsewhere. */
function valueOf(at: WrittenExpression, { dot, variables, lacks, ...sight }: Sight, as: 'value' | 'condition' = 'value'): Traced {
  const notes = lacks === undefined ? {} : { lacks: (absence: Absence) => lacks(absence, at) }
  try {
    return traceProgram(at.source, { ...sight, ...notes, variables: variables(), input: dot, as })
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    return unknown
  }
}

function writtenAt(value: string, path: Path | undefined): WrittenExpression {
  return { path, value, ...locateExpression(value) }
}

/** Whether an expression may be noted that is part of other data. */
function isFollowed({ source }: WrittenExpression, { lacks, dot }: Sight): boolean {
  if (lacks === undefined) return true
  if (memberNames(dot) === undefined) return false
  for (const [, name] of source.matchAll(memberPattern)) if (name !== undefined && isWithout(dot, name)) return true
  return false
}

/** What may be the name of a member of `.`: `.name`, `."name"`, `["name"]` or `{ name }`, but not behind another variable than `$input`. */
const memberPattern = /\$(?!input\b)\w+(?:\.\w+)*|(?:[.[{,]\s*|")(?:"\s*)?([A-Za-z_]\w*)/g

/** The value of data in which each string that is wholly `${ … }` is an expression. */
export function valueOfData(data: Json, sight: Sight, path: Path | undefined): Traced {
  if (isRuntimeExpression(data)) {
    const at = writtenAt(data, path)
    return isFollowed(at, sight) ? valueOf(at, sight) : unknown
  }
  if (Array.isArray(data)) {
    for (const [key, item] of data.entries()) valueOfData(item, sight, { parent: path, key })
    return unknown
  }
  if (!isObject(data)) return constant(data)
  const members = Object.entries(data).map(([key, item]) => [key, valueOfData(item, sight, { parent: path, key })] as const)
  return objectOf(new Map(members), true)
}

/** The value of data, or of a string that is always an expression. */
export function valueOfTransformation(data: Json, sight: Sight, path: Path | undefined): Traced {
  if (typeof data !== 'string') return valueOfData(data, sight, path)
  const at = writtenAt(data, path)
  const isNeeded = sight.lacks === undefined || memberNames(sight.dot) !== undefined || mayBeKnown(at)
  return isNeeded ? valueOf(at, sight) : unknown
}

/** Whether something may be known of what an expression gives for data of which nothing is known: it is a path, makes an object, or reads a variable. */
function mayBeKnown({ source }: WrittenExpression): boolean {
  return source.includes('$') || (source.includes('{') ? !/^\s*\.\s*\+/.test(source) : /^\s*(?:\.\w+)+\s*$/.test(source))
}

export function readCondition(data: Json | undefined, sight: Sight, path: Path | undefined): void {
  if (typeof data !== 'string') return
  const at = writtenAt(data, path)
  if (isFollowed(at, sight)) valueOf(at, sight, 'condition')
}

/** Evaluates what is below a shape, without tasks. */
export function readBelow(shape: Shape, value: Json, sight: Sight, path: Path | undefined): void {
  if (sight.lacks !== undefined && memberNames(sight.dot) === undefined) return
  switch (shape.kind) {
    case 'any':
      valueOfData(value, sight, path)
      return
    case 'string':
      return readText(shape, value, sight, path)
    case 'object':
      if (isObject(value))
        for (const [key, item] of Object.entries(value)) {
          const inside = shape.properties.get(key)?.shape ?? shape.rest
          if (inside !== undefined) readBelow(inside, item, sight, { parent: path, key })
        }
      return
    case 'map':
      if (isObject(value)) for (const [key, item] of Object.entries(value)) readBelow(shape.values, item, sight, { parent: path, key })
      return
    case 'list':
      if (Array.isArray(value)) for (const [key, item] of value.entries()) readBelow(shape.items, item, sight, { parent: path, key })
      return
    case 'union': {
      const chosen = chooseByType(shape, value)
      return chosen === undefined ? undefined : readBelow(chosen, value, sight, path)
    }
    case 'keyed':
      return readBelow(chooseByKey(shape, value), value, sight, path)
    default:
  }
}

const templateName = /\{(\w+)\}/g

function readText({ reading, format }: Extract<Shape, { kind: 'string' }>, value: Json, sight: Sight, path: Path | undefined): void {
  if (typeof value !== 'string' || reading === 'literal' || reading === 'code') return
  const isEvaluated: boolean = reading === 'expression' || isRuntimeExpression(value)
  if (isEvaluated) {
    const at = writtenAt(value, path)
    if (isFollowed(at, sight)) valueOf(at, sight)
  }
  // A template of a URI reads members of the input by their names.
  else if (format === 'uri')
    for (const [, name] of value.matchAll(templateName)) {
      const at = { path, value, source: `.[${JSON.stringify(name)}]`, offset: 0 }
      if (isFollowed(at, sight)) valueOf(at, sight)
    }
}
