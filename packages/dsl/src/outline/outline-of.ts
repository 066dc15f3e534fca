import type { JsonObject } from '#src/json.ts'
import type { DefinitionFormat } from '#src/parse/parse-definition.ts'
import { childPointer } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import { nodeAt, type SourceMap, type SourceNode, valueOf } from '#src/tree/source-node.ts'
import { readTree } from '#src/tree/read-tree.ts'
import { type Building, entryOf, listOf } from './build-entry.ts'
import { changeOf } from './change-of.ts'
import type { Outline, OutlineEntry, OutlineList, OutlinePlace, OutlineState } from './outline.ts'
import { patchOutline } from './patch-outline.ts'
import { sharedEntries, sharedList } from './share.ts'

/**
 * The tasks of a document that may not validate, or not even be well formed.
 *
 * With the state of the text before, unchanged entries are the same objects, and a change inside one task of a YAML text reads that task alone.
 */
export function outlineOf(text: string, syntax: DefinitionFormat, previous?: OutlineState): Outline {
  if (previous?.syntax === syntax) {
    const change = changeOf(previous.text, text)
    if (change === undefined) return previous.outline
    const patched = syntax === 'yaml' ? patchOutline(previous, text, change) : undefined
    if (patched !== undefined) return patched
  }
  return fullOutline(text, syntax, previous?.outline)
}

function fullOutline(text: string, syntax: DefinitionFormat, previous: Outline | undefined): Outline {
  const { root, problems } = readTree(text, syntax)
  const places = new Map<string, OutlinePlace>()
  const building: Building = { text, syntax, places }
  const main = listOf(building, nodeAt(root, '/do'), { path: '/do', pointer: '/do', slot: 'do', branches: false })
  const functions = functionsOf(building, nodeAt(root, '/use/functions'))
  const extensions = extensionsOf(building, root)
  const info = valueOf(nodeAt(root, '/document'))
  const document: JsonObject = isObject(info) ? info : {}
  const [problem] = problems
  const outline = {
    document: previous !== undefined && JSON.stringify(previous.document) === JSON.stringify(document) ? previous.document : document,
    main: sharedList(previous?.main, main),
    functions: sharedEntries(previous?.functions ?? [], functions),
    extensions: sharedLists(previous?.extensions ?? [], extensions),
    places,
  }
  return problem === undefined ? outline : { ...outline, brokenAt: problem.start }
}

function functionsOf(building: Building, node: SourceNode | undefined): OutlineEntry[] {
  if (node?.kind !== 'map') return []
  return uniqueKeys(node).map((member) =>
    entryOf(building, { member, start: member.start }, { path: '/use/functions', pointer: '/use/functions', name: member.key }),
  )
}

function extensionsOf(building: Building, root: SourceNode | undefined): OutlineList[] {
  const node = nodeAt(root, '/use/extensions')
  if (node?.kind !== 'list') return []
  return node.items.flatMap(({ value }, index) => {
    const member = value.kind === 'map' ? value.members[0] : undefined
    if (member === undefined) return []
    return ['before', 'after'].flatMap((slot) => {
      const list = nodeAt(member.value, `/${slot}`)
      const path = `${childPointer('/use/extensions', member.key)}/${slot}`
      const pointer = `${childPointer(`/use/extensions/${index}`, member.key)}/${slot}`
      return list === undefined ? [] : [listOf(building, list, { path, pointer, slot, branches: false })]
    })
  })
}

function sharedLists(before: readonly OutlineList[], after: readonly OutlineList[]): readonly OutlineList[] {
  const lists = after.map((list) =>
    sharedList(
      before.find(({ path }) => path === list.path),
      list,
    ),
  )
  return lists.length === before.length && lists.every((list, index) => list === before[index]) ? before : lists
}

function uniqueKeys(map: SourceMap) {
  return map.members.filter((member, index) => map.members.findIndex(({ key }) => key === member.key) === index)
}
