import { isArray, type JsonObject } from '#core/json.ts'
import { pointerSegment } from '#core/json-pointer.ts'
import type { Keyword, Node, Rules } from '#schema/rule.ts'
import type { Run } from '#schema/run.ts'
import { plural, quoted } from '#schema/fault-wording.ts'
import { countOf, mapOf, namesOf } from './given.ts'

/** Keywords that speak of an object by its names. */
export const objectKeywords: Readonly<Record<string, Keyword>> = {
  minProperties: (given, node, { object }) => {
    const min = countOf(given, node, 'minProperties')
    const detail = `must have at least ${plural(min, 'property', 'properties')}`
    object.push((value, run, _seen, at) => namesIn(value, run).length >= min || (at !== undefined && run.report(at, detail)))
  },
  maxProperties: (given, node, { object }) => {
    const max = countOf(given, node, 'maxProperties')
    const detail = `must have at most ${plural(max, 'property', 'properties')}`
    object.push((value, run, _seen, at) => namesIn(value, run).length <= max || (at !== undefined && run.report(at, detail)))
  },
  required: (given, node, { object }) => {
    const names = namesOf(given, node, 'required')
    object.push((value, run, _seen, at) => hasAll(value, names, run, at, ''))
  },
  dependentRequired: (given, node, rules) => {
    for (const [name, needed] of Object.entries(mapOf(given, node, 'dependentRequired'))) {
      needs(name, namesOf(needed, node, 'dependentRequired'), rules)
    }
  },
  dependentSchemas: (given, node, rules) => {
    for (const [name, schema] of Object.entries(mapOf(given, node, 'dependentSchemas'))) {
      applies(name, node.child(schema, 'dependentSchemas', name), rules)
    }
  },
  // Of earlier drafts: the two above in one.
  dependencies: (given, node, rules) => {
    for (const [name, either] of Object.entries(mapOf(given, node, 'dependencies'))) {
      if (isArray(either)) needs(name, namesOf(either, node, 'dependencies'), rules)
      else applies(name, node.child(either, 'dependencies', name), rules)
    }
  },
  propertyNames: (given, node, { object }) => {
    const names = node.child(given, 'propertyNames')
    object.push((value, run, _seen, at) => {
      let fits = true
      for (const name of namesIn(value, run)) {
        if (names.visit(name, run, undefined, undefined)) continue
        if (at === undefined || run.isFull) return false
        fits = false
        const [fault] = run.collect(() => names.visit(name, run, undefined, at))
        run.report(inside(at, name) ?? '', `has a name that is not allowed${fault === undefined ? '' : `: it ${fault.detail}`}`)
      }
      return fits
    })
  },
}

/** The names of an object. They cannot be listed in parts. */
export function namesIn(value: JsonObject, run: Run): readonly string[] {
  const names = Object.keys(value)
  run.charge(names.length)
  return names
}

/** The place of a property. */
export function inside(at: string | undefined, name: string): string | undefined {
  return at === undefined ? undefined : `${at}/${pointerSegment(name)}`
}

function needs(name: string, needed: readonly string[], { object }: Rules): void {
  const since = `, since it has ${quoted(name)}`
  object.push((value, run, _seen, at) => !Object.hasOwn(value, name) || hasAll(value, needed, run, at, since))
}

function hasAll(value: JsonObject, names: readonly string[], run: Run, at: string | undefined, since: string): boolean {
  run.charge(names.length >> 2)
  let fits = true
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue
    if (at === undefined || run.isFull) return false
    fits = run.report(at, `must have the property ${quoted(name)}${since}`)
  }
  return fits
}

function applies(name: string, node: Node, { object }: Rules): void {
  object.push((value, run, seen, at) => {
    run.charge(1)
    return !Object.hasOwn(value, name) || node.visit(value, run, seen, at)
  })
}
