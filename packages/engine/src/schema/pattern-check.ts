import { isArray, isObject, type Json } from '#core/json.ts'
import { pointerSegment } from '#core/json-pointer.ts'
import { compilePattern, PatternError } from './pattern.ts'
import { type Part, partOf } from './schema-parts.ts'

/** The budget for compiling the patterns of one definition, in steps: less than half a second. */
const STEPS_MAX = 1_000_000

/** A pattern that cannot be used, and where it is in the schema. */
export interface PatternFault {
  readonly pointer: string
  readonly what: string
}

/** Finds the patterns of a schema that RE2 does not know (backreferences, looking around) or that are too large. */
export type PatternCheck = (schema: Json) => readonly PatternFault[]

/** A check of the schemas of one definition, which share a budget. */
export function createPatternCheck(): PatternCheck {
  let steps = 0
  return (schema) => {
    const faults: PatternFault[] = []
    read(schema, { kind: 'schema', applied: false }, '', (pattern, pointer) => {
      if (steps > STEPS_MAX) return
      try {
        compilePattern(pattern, (more) => {
          steps += more
        })
      } catch (error) {
        if (!(error instanceof PatternError)) throw error
        faults.push({ pointer, what: error.message })
      }
      if (steps > STEPS_MAX)
        faults.push({
          pointer,
          what: 'the patterns of this definition are too many, or too large; those up to here are the most that can be checked',
        })
    })
    return faults
  }
}

type OnPattern = (pattern: string, pointer: string) => void

function read(value: Json, part: Part, pointer: string, onPattern: OnPattern): void {
  if (isArray(value) && part.items !== undefined) {
    for (const [index, item] of value.entries()) read(item, part.items, `${pointer}/${index}`, onPattern)
  }
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${pointerSegment(name)}`
    if (part.kind === 'schema') {
      if (name === 'pattern' && typeof member === 'string') onPattern(member, at)
      if (name === 'patternProperties' && isObject(member)) for (const pattern of Object.keys(member)) onPattern(pattern, at)
      read(member, partOf(name, member), at, onPattern)
    } else if (part.members !== undefined) read(member, part.members, at, onPattern)
  }
}
