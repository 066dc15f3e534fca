import * as z from 'zod'
import { invalidValue, ScimFault } from './scim-fault.ts'
import { comparisonsOf, isObject, parseFilter, passes, pathOf, type ScimFilter } from './scim-filter.ts'

type Resource = Record<string, unknown>

interface Target {
  /** The attribute in lower case. */
  readonly name: string
  readonly filter: ScimFilter | undefined
  readonly sub: string | undefined
}

const operationsMax = 1_000
/** What a comparison by a filter costs, measured by that of two values. */
const filterCost = 20
/** Comparisons of items of lists that one request may need: about a second. */
const comparisonsMax = 60_000_000
const Patch = z.object({
  Operations: z
    .array(
      z.object({
        // Entra capitalises the names of operations.
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(2_000).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(operationsMax),
})
type Operation = z.output<typeof Patch>['Operations'][number]

/**
 * Applies a PATCH request (RFC 7644, section 3.5.2) to the attributes of a resource whose names are in `known`; others are ignored. Accepts what
 * directories send beyond the text: paths as members of a value, and a removal of list items by their values.
 * @param known names as the resource spells them; `true` for lists.
 */
export function applyPatch(resource: Resource, body: unknown, known: Readonly<Record<string, boolean>>): Resource {
  const parsed = Patch.safeParse(body)
  if (!parsed.success)
    throw new ScimFault(400, 'Operations must be a list of { op: add, replace or remove, path, value }.', 'invalidSyntax')
  const names = new Map(Object.entries(known).map(([name, isList]) => [name.toLowerCase(), { name, isList }]))
  const result = structuredClone(resource)
  const budget = { comparisons: comparisonsMax }
  for (const operation of parsed.data.Operations) applyOne(result, operation, names, budget)
  return result
}

interface Budget {
  comparisons: number
}

/** Refuses a request whose lists and filters multiply, before it occupies the server. */
function spend(budget: Budget, comparisons: number): void {
  budget.comparisons -= comparisons
  if (budget.comparisons < 0) throw new ScimFault(413, 'The operations need too many comparisons. Send them in several requests.')
}

type Names = ReadonlyMap<string, { readonly name: string; readonly isList: boolean }>

function applyOne(resource: Resource, { op, path, value }: Operation, names: Names, budget: Budget): void {
  if (path === undefined || path === null || path === '') {
    if (!isObject(value))
      throw op === 'remove'
        ? new ScimFault(400, 'A removal needs a path.', 'noTarget')
        : invalidValue('A value without a path must be an object.')
    for (const [each, part] of Object.entries(value))
      if (!/^(?:urn:|schemas$)/i.test(each) || each.includes('[')) applyOne(resource, { op, path: each, value: part }, names, budget)
    return
  }
  const target = targetOf(path)
  const attribute = names.get(target.name)
  if (attribute === undefined) return
  const { name, isList } = attribute
  if (isList) {
    const items = [resource[name] ?? []].flat()
    spend(budget, items.length * (target.filter === undefined ? 1 : filterCost * comparisonsOf(target.filter)))
    resource[name] = patchedList(items, target, { op, value })
  } else if (target.sub !== undefined)
    resource[name] = patchedMember(isObject(resource[name]) ? resource[name] : {}, target.sub, { op, value })
  else if (op === 'remove') delete resource[name]
  else resource[name] = isObject(value) && isObject(resource[name]) ? { ...resource[name], ...value } : value
}

function patchedMember(value: Resource, sub: string, { op, value: given }: Pick<Operation, 'op' | 'value'>): Resource {
  const name = Object.keys(value).find((key) => key.toLowerCase() === sub.toLowerCase()) ?? sub
  const { [name]: _former, ...rest } = value
  return op === 'remove' ? rest : { ...rest, [name]: given }
}

function patchedList(
  items: readonly unknown[],
  { filter, sub }: Target,
  { op, value }: Pick<Operation, 'op' | 'value'>,
): readonly unknown[] {
  const given = (value === undefined || value === null ? [] : [value].flat()).map((item) => (isObject(item) ? item : { value: item }))
  if (filter === undefined) {
    if (op === 'replace') return given
    const values = new Set(given.map(({ value: each }) => each))
    if (op === 'add') return [...items.filter((item) => !isObject(item) || !values.has(item['value'])), ...given]
    return given.length === 0 ? [] : items.filter((item) => !isObject(item) || !values.has(item['value']))
  }
  if (op === 'remove' && sub === undefined) return items.filter((item) => !passes(filter, item))
  const change = (item: unknown): Resource =>
    sub === undefined ? { ...(isObject(item) ? item : {}), ...given[0] } : patchedMember(isObject(item) ? item : {}, sub, { op, value })
  if (items.some((item) => passes(filter, item))) return items.map((item) => (passes(filter, item) ? change(item) : item))
  // Entra adds an address by a filter that none has yet.
  if (op === 'remove' || filter.kind !== 'compare' || filter.by !== 'eq')
    throw new ScimFault(400, 'No item passes the filter of the path.', 'noTarget')
  return [...items, change({ [filter.path]: filter.value })]
}

function targetOf(path: string): Target {
  const { name, filter, sub } = /^(?<name>[^[\]]+)(?:\[(?<filter>.*)\])?(?:\.(?<sub>[A-Za-z$][\w$-]*))?$/.exec(path)?.groups ?? {}
  if (name === undefined) throw new ScimFault(400, `The path ${path.slice(0, 100)} cannot be read.`, 'invalidPath')
  if (filter !== undefined) return { name: pathOf(name), filter: parseFilter(filter), sub }
  const [first = '', second] = pathOf(name).split('.')
  return { name: first, filter: undefined, sub: second === undefined ? undefined : originalOf(name, second) }
}

/** The last part of a path as it was written: members keep their letters. */
function originalOf(path: string, lower: string): string {
  return path.slice(-lower.length)
}
