import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { inlineCalls, ownerOf } from './inline-calls.ts'
import type { Facts, Finding, ReferenceSite } from '#src/validate/facts.ts'

/** Characters of all components of `use` when each is expanded where it is used, also functions in functions. */
export const expansionLengthMax = 2_097_152

const sections = { authentication: 'authentications', error: 'errors', retry: 'retries', timeout: 'timeouts' } as const

/**
 * Refuses a document whose components expand too far: each use of a component is compiled again, and functions that call functions can double the
 * expansion with each level. False when the document is refused.
 */
export function checkExpansion(facts: Facts, document: Json): boolean {
  const use = (isObject(document) ? objectAt(document, 'use') : undefined) ?? {}
  const uses = usesByOwner(facts, document, use)
  const lengths = functionLengths(use, uses)
  let length = 0
  for (const { path, size, callee } of uses.get(undefined) ?? []) {
    length += size + (callee === undefined ? 0 : (lengths.get(callee) ?? 0))
    if (length <= expansionLengthMax) continue
    facts.findings.push(tooLarge(path))
    return false
  }
  return true
}

/** One use of a component: its length, or the called function. */
interface Use {
  readonly path: Path | undefined
  readonly size: number
  readonly callee?: string
}

type Uses = ReadonlyMap<string | undefined, readonly Use[]>

/** The uses in each function, and under undefined those in the rest of the document. */
function usesByOwner(facts: Facts, document: Json, use: JsonObject): Uses {
  const uses = new Map<string | undefined, Use[]>()
  const add = (path: Path | undefined, found: Use) => {
    const owner = ownerOf(path)
    const known = uses.get(owner)
    if (known === undefined) uses.set(owner, [found])
    else known.push(found)
  }
  const sizes = new Map<Json, number>()
  for (const site of facts.references) {
    const component = componentOf(site, use)
    if (component === undefined) continue
    const size = sizes.get(component) ?? lengthOf(component)
    sizes.set(component, size)
    add(site.path, { path: site.path, size })
  }
  for (const { callee, path } of inlineCalls(facts, document)) add(path, { path, size: 0, callee })
  return uses
}

function componentOf({ kind, name }: ReferenceSite, use: JsonObject): JsonObject | undefined {
  if (kind !== 'authentication' && kind !== 'error' && kind !== 'retry' && kind !== 'timeout') return undefined
  const section = objectAt(use, sections[kind]) ?? {}
  return Object.hasOwn(section, name) ? objectAt(section, name) : undefined
}

/** The expanded length of each function, callees before their callers; a chain of calls may have thousands of functions. */
function functionLengths(use: JsonObject, uses: Uses): ReadonlyMap<string, number> {
  const functions = objectAt(use, 'functions') ?? {}
  const lengths = new Map<string, number>()
  for (const start of Object.keys(functions)) {
    const open = [start]
    const entered = new Set<string>()
    for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
      const own = uses.get(name) ?? []
      // A function that is met again while its callees are open calls itself; check-recursion reports it.
      if (lengths.has(name) || entered.has(name)) {
        open.pop()
        if (!lengths.has(name)) lengths.set(name, lengthWith(lengthOf(functions[name] ?? null), own, lengths))
        continue
      }
      entered.add(name)
      for (const { callee } of own) if (callee !== undefined && !lengths.has(callee)) open.push(callee)
    }
  }
  return lengths
}

function lengthWith(own: number, uses: readonly Use[], lengths: ReadonlyMap<string, number>): number {
  let length = own
  for (const { size, callee } of uses) length += size + (callee === undefined ? 0 : (lengths.get(callee) ?? 0))
  // The true length may be astronomical, so it is capped.
  return Math.min(length, expansionLengthMax + 1)
}

/** The approximate length of the written value. */
function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length + 1
  if (Array.isArray(value)) return value.reduce<number>((length, item: Json) => length + lengthOf(item), 1)
  if (!isObject(value)) return 1
  let length = 1
  for (const key of Object.keys(value)) length += key.length + 1 + lengthOf(value[key] ?? null)
  return length
}

function tooLarge(path: Path | undefined): Finding {
  const message = `What the names of "use" stand for has more than ${expansionLengthMax} characters when it is written out wherever it is used.`
  const hint = 'Call fewer functions from functions, or move parts into workflows of their own and call them with run: workflow.'
  return { code: 'document_too_large', path, at: 'value', message, hint }
}
