import { membersOf, type Json } from '#core/json.ts'
import type { Evaluated } from '#schema/evaluated.ts'
import type { Keyword, Node } from '#schema/rule.ts'
import type { Run } from '#schema/run.ts'
import { textOf } from './given.ts'

export const referenceKeywords: Readonly<Record<string, Keyword>> = {
  $ref: (given, node, { any }) => {
    const to = textOf(given, node, '$ref')
    // Looked up when it is first followed: a schema may refer to itself.
    let target: Node | undefined
    any.push((value, run, seen, at) => {
      target ??= node.follow(to)
      run.trail.push({ node: target, value })
      const fits = target.visit(value, run, seen, at)
      run.trail.pop()
      return fits
    })
  },
  $dynamicRef: (given, node, { any }) => {
    const to = textOf(given, node, '$dynamicRef')
    const name = to.replace(/^[^#]*#?/, '')
    any.push((value, run, seen, at) => {
      const target = node.follow(to)
      const isDynamic = membersOf(target.schema)['$dynamicAnchor'] === name
      return follow(isDynamic ? outermost(target, name, run) : target, value, run, seen, at)
    })
  },
  // Of draft 2019-09: a dynamic reference without a name.
  $recursiveRef: (_given, node, { any }) => {
    any.push((value, run, seen, at) => {
      const target = node.follow('#')
      const isDynamic = membersOf(target.schema)['$recursiveAnchor'] === true
      return follow(isDynamic ? outermost(target, '', run) : target, value, run, seen, at)
    })
  },
}

/** The schema with a dynamic anchor in the outermost resource that has one. */
function outermost(target: Node, name: string, run: Run): Node {
  run.charge(run.scope.resources.length)
  for (const resource of run.scope.resources) {
    const schema = resource.dynamicAnchors.get(name)
    if (schema !== undefined) return target.across(resource, schema)
  }
  return target
}

function follow(target: Node, value: Json, run: Run, seen: Evaluated | undefined, at: string | undefined): boolean {
  run.trail.push({ node: target, value })
  const fits = target.visit(value, run, seen, at)
  run.trail.pop()
  return fits
}
