import { isArray, type Json } from '#core/json.ts'
import { canonical, keySteps } from '#schema/canonical.ts'
import type { Keyword, Node, Rule, Rules } from '#schema/rule.ts'
import { plural } from '#schema/fault-wording.ts'
import { countOf, listOf } from './given.ts'

export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  minItems: (given, node, { array }) => {
    const min = countOf(given, node, 'minItems')
    array.push(
      (list, run, _seen, at) => list.length >= min || (at !== undefined && run.report(at, `must have at least ${plural(min, 'item')}`)),
    )
  },
  maxItems: (given, node, { array }) => {
    const max = countOf(given, node, 'maxItems')
    array.push(
      (list, run, _seen, at) => list.length <= max || (at !== undefined && run.report(at, `must have at most ${plural(max, 'item')}`)),
    )
  },
  uniqueItems: (given, _node, { array }) => {
    if (given === true) array.push(areUnique)
  },
  prefixItems: (given, node, rules) => prefix(given, node, 'prefixItems', rules),
  items: (given, node, rules) => {
    if (isArray(given)) prefix(given, node, 'items', rules)
    else rest(node.child(given, 'items'), prefixLength(node), rules)
  },
  // Of earlier drafts: what `items` is now, beside a list of schemas.
  additionalItems: (given, node, rules) => {
    const items = node.member('items')
    if (items === undefined || isArray(items)) rest(node.child(given, 'additionalItems'), prefixLength(node), rules)
  },
  contains: (given, node, rules) => contains(node.child(given, 'contains'), node, rules),
}

function prefixLength(node: Node): number {
  const items = node.member('items')
  const list = node.member('prefixItems') ?? items
  return isArray(list) ? list.length : 0
}

function prefix(given: Json, node: Node, keyword: string, { array }: Rules): void {
  const nodes = listOf(given, node, keyword).map((schema, index) => node.child(schema, keyword, index))
  array.push((list, run, seen, at) => {
    let fits = true
    for (let index = 0; index < nodes.length && index < list.length; index++) {
      if (nodes[index]?.visit(list[index] ?? null, run, undefined, within(at, index))) continue
      if (at === undefined || run.isFull) return false
      fits = false
    }
    if (seen !== undefined) seen.upTo = Math.max(seen.upTo, nodes.length)
    return fits
  })
}

/** All items from one on. */
function rest(node: Node, start: number, { array }: Rules): void {
  array.push((list, run, seen, at) => {
    let fits = true
    for (let index = start; index < list.length; index++) {
      if (node.visit(list[index] ?? null, run, undefined, within(at, index))) continue
      if (at === undefined || run.isFull) return false
      fits = false
    }
    if (seen !== undefined) seen.all = true
    return fits
  })
}

function contains(node: Node, around: Node, { array }: Rules): void {
  const min = countOf(around.member('minContains') ?? 1, around, 'minContains')
  const max = countOf(around.member('maxContains') ?? Number.MAX_SAFE_INTEGER, around, 'maxContains')
  array.push((list, run, seen, at) => {
    let found = 0
    for (const [index, item] of list.entries()) {
      // Without need of more the count is decided.
      if (seen === undefined && found >= min && max === Number.MAX_SAFE_INTEGER) return true
      if (!node.visit(item, run, undefined, undefined)) continue
      found += 1
      seen?.add(index)
    }
    if (found >= min && found <= max) return true
    const wanted = found < min ? `at least ${min}` : `at most ${max}`
    return at !== undefined && run.report(at, `must contain ${wanted} of the items that "contains" describes, but has ${found}`)
  })
}

const areUnique: Rule<readonly Json[]> = (list, run, _seen, at) => {
  const simple = new Map<Json, number>()
  const composed = new Map<Json, number>()
  for (const [index, item] of list.entries()) {
    const isSimple = typeof item !== 'object' || item === null
    const key = isSimple ? item : canonical(item, run)
    run.charge(4 + (typeof key === 'string' ? keySteps(key) : 0))
    const before = firstAt(isSimple ? simple : composed, key, index)
    if (before !== undefined)
      return at !== undefined && run.report(at, `must not contain equal items, but items ${before} and ${index} are equal`)
  }
  return true
}

function firstAt(indexes: Map<Json, number>, key: Json, index: number): number | undefined {
  const before = indexes.get(key)
  if (before === undefined) indexes.set(key, index)
  return before
}

export function within(at: string | undefined, index: number): string | undefined {
  return at === undefined ? undefined : `${at}/${index}`
}
