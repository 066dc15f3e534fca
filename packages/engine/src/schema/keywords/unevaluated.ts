import { isArray, isObject } from '#core/json.ts'
import type { Keyword } from '#schema/rule.ts'
import { within } from './arrays.ts'
import { inside, namesIn } from './objects.ts'

/** Keywords for what nothing else in a schema has evaluated. */
export const unevaluatedKeywords: Readonly<Record<string, Keyword>> = {
  unevaluatedItems: (given, node, { unevaluated }) => {
    const items = node.child(given, 'unevaluatedItems')
    unevaluated.push((list, run, seen, at) => {
      if (!isArray(list) || seen?.all === true) return true
      let fits = true
      for (let index = seen?.upTo ?? 0; index < list.length; index++) {
        run.charge(1)
        if (seen?.has(index) === true || items.visit(list[index] ?? null, run, undefined, within(at, index))) continue
        if (at === undefined || run.isFull) return false
        fits = false
      }
      if (seen !== undefined) seen.all = true
      return fits
    })
  },
  unevaluatedProperties: (given, node, { unevaluated }) => {
    const properties = node.child(given, 'unevaluatedProperties')
    unevaluated.push((value, run, seen, at) => {
      if (!isObject(value) || seen?.all === true) return true
      let fits = true
      for (const name of namesIn(value, run)) {
        if (seen?.has(name) === true || properties.visit(value[name] ?? null, run, undefined, inside(at, name))) continue
        if (at === undefined || run.isFull) return false
        fits = false
      }
      if (seen !== undefined) seen.all = true
      return fits
    })
  },
}
