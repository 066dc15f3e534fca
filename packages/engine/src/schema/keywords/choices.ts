import type { Json } from '#core/json.ts'
import { Evaluated } from '#schema/evaluated.ts'
import type { Keyword, Node } from '#schema/rule.ts'
import type { Run } from '#schema/run.ts'
import { ownTypes, plausible } from '#schema/plausible.ts'
import { listOf } from './given.ts'
import { typeDetail } from './values.ts'

/** Keywords that combine schemas for one value. */
export const choiceKeywords: Readonly<Record<string, Keyword>> = {
  allOf: (given, node, { any }) => {
    for (const branch of branchesOf(given, node, 'allOf')) any.push((value, run, seen, at) => branch.visit(value, run, seen, at))
  },
  anyOf: (given, node, { any }) => {
    const branches = branchesOf(given, node, 'anyOf')
    any.push((value, run, seen, at) => {
      const fits = matching(branches, value, run, seen, seen === undefined ? 1 : branches.length).length > 0
      return fits || (at !== undefined && explain(branches, value, run, at))
    })
  },
  oneOf: (given, node, { any }) => {
    const branches = branchesOf(given, node, 'oneOf')
    any.push((value, run, seen, at) => {
      const [one, another] = matching(branches, value, run, seen, 2)
      if (one !== undefined && another === undefined) return true
      if (at === undefined) return false
      if (one === undefined) return explain(branches, value, run, at)
      return run.report(at, `must fit exactly one of ${branches.length} schemas, but fits those at ${one} and ${another ?? one}`)
    })
  },
  not: (given, node, { any }) => {
    const not = node.child(given, 'not')
    any.push(
      (value, run, _seen, at) =>
        !not.visit(value, run, undefined, undefined) || (at !== undefined && run.report(at, 'must not fit the schema under "not"')),
    )
  },
  if: (given, node, { any }) => {
    const condition = node.child(given, 'if')
    const [yes, no] = ['then', 'else'].map((keyword) => {
      const schema = node.member(keyword)
      return schema === undefined ? undefined : node.child(schema, keyword)
    })
    any.push((value, run, seen, at) => {
      const then = matching([condition], value, run, seen, 1).length === 1 ? yes : no
      return then === undefined || then.visit(value, run, seen, at)
    })
  },
}

function branchesOf(given: Json, node: Node, keyword: string): readonly Node[] {
  return listOf(given, node, keyword).map((schema, index) => node.child(schema, keyword, index))
}

/** The indexes of schemas that a value fits, at most so many. Only those that it fits say what was evaluated. */
function matching(branches: readonly Node[], value: Json, run: Run, seen: Evaluated | undefined, max: number): readonly number[] {
  const found: number[] = []
  for (const [index, branch] of branches.entries()) {
    const own = seen === undefined ? undefined : new Evaluated()
    if (!branch.visit(value, run, own, undefined)) continue
    if (own !== undefined && seen !== undefined) run.charge(seen.merge(own))
    found.push(index)
    if (found.length >= max) break
  }
  return found
}

/** Reports why a value fits none of several schemas: by the most plausible one, if there is one, and by their types otherwise. */
function explain(branches: readonly Node[], value: Json, run: Run, at: string): boolean {
  const [meant, other] = branches.filter((branch) => plausible(branch, value, run))
  if (meant !== undefined && other === undefined) {
    const before = run.faults.length
    meant.visit(value, run, undefined, at)
    if (run.faults.length > before) return false
  }
  const types = branches.map(ownTypes)
  const all = types.every((some) => some !== undefined) ? [...new Set(types.flat())] : []
  if (meant === undefined && all.length > 0) return run.report(at, typeDetail(value, all))
  return run.report(at, `must fit at least one of ${branches.length} schemas, but fits none`)
}
