import { isArray, isObject, type Json, membersOf } from '#core/json.ts'
import type { Run } from './run.ts'
import type { Node } from './rule.ts'

const HOPS_MAX = 8
const PROPERTIES_MAX = 50

/** Whether a schema may be the one that the author of a value had in mind: its type is right, and its constants do not contradict. */
export function plausible(branch: Node, value: Json, run: Run): boolean {
  const node = referent(branch)
  run.charge(1)
  if (node.schema === false) return false
  const types = ownTypes(node)
  if (types !== undefined && !types.includes(kindOf(value)) && !(types.includes('integer') && typeof value === 'number')) return false
  if (contradicts(node.schema, value)) return false
  if (!isObject(value)) return true
  const properties = Object.entries(membersOf(node.member('properties'))).slice(0, PROPERTIES_MAX)
  run.charge(properties.length)
  return !properties.some(([name, schema]) => Object.hasOwn(value, name) && contradicts(schema, value[name] ?? null))
}

/** The types that a schema names itself. */
export function ownTypes(branch: Node): readonly string[] | undefined {
  const type = referent(branch).member('type')
  if (isArray(type)) return type.map(String)
  return typeof type === 'string' ? [type] : undefined
}

/** The target of a schema that is only a reference, or the schema itself. */
function referent(branch: Node): Node {
  let node = branch
  for (let hops = 0; hops < HOPS_MAX; hops++) {
    const to = node.member('$ref')
    if (typeof to !== 'string') break
    node = node.follow(to)
  }
  return node
}

function contradicts(schema: Json, value: Json): boolean {
  const constant = isObject(schema) ? schema['const'] : undefined
  return constant !== undefined && (typeof constant !== 'object' || constant === null) && constant !== value
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  return isArray(value) ? 'array' : typeof value
}
