import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Document } from 'yaml'
import { canonicalYaml } from '#src/canonical/canonical.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { type DefinitionFormat, parseDefinition } from '#src/parse/parse-definition.ts'
import { isObject } from '#src/shape/variables.ts'
import { definitions } from '#src/testing/arbitrary-definition.ts'
import { type Edit, type EditResult, applyChanges, editText, invertChanges } from './index.ts'
import { jsonAt } from './plan/operate-on-json.ts'
import { sameJson } from './plan/same-json.ts'

/** How a text is written: options of the writer, line breaks, and whether comments and blank lines are put in. */
interface Writing {
  readonly indent: number
  readonly indentSeq: boolean
  readonly flow: boolean
  readonly singleQuote: boolean
  readonly crlf: boolean
  readonly decorated: boolean
}

const writings: fc.Arbitrary<Writing> = fc.record({
  indent: fc.constantFrom(2, 2, 4),
  indentSeq: fc.boolean(),
  flow: fc.constantFrom(false, false, false, true),
  singleQuote: fc.boolean(),
  crlf: fc.constantFrom(false, false, false, true),
  decorated: fc.boolean(),
})

function written(document: Json, { indent, indentSeq, flow, singleQuote, crlf, decorated }: Writing): string {
  const made = new Document(document, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  const plain = made.toString({ lineWidth: 0, indent, indentSeq, singleQuote, collectionStyle: flow ? 'flow' : 'block' })
  const odd = decorated ? decoratedText(plain) : plain
  const text = crlf ? odd.replaceAll('\n', '\r\n') : odd
  const isRead = (candidate: string): boolean => sameJson(parseDefinition(candidate, { format: 'yaml' }).document ?? null, document)
  // The library writes an empty list below its key without indentation, which is not YAML.
  return [text, plain].find(isRead) ?? canonicalYaml(document)
}

/** Comments above and behind every third line, and blank lines; wrong inside of texts over several lines, which the caller notices. */
function decoratedText(text: string): string {
  const lines = text.trimEnd().split('\n')
  const out = lines.flatMap((line, index) => {
    const lead = /^ */.exec(line)?.[0] ?? ''
    if (index % 7 === 3) return ['', `${lead}# above ${index}`, line]
    if (index % 5 === 2) return [`${lead}# above ${index}`, line]
    return [index % 3 === 1 && !/[|>][-+]?$/.test(line) ? `${line}   # behind ${index}` : line]
  })
  return out.join('\n')
}

interface FoundList {
  readonly pointer: string
  readonly length: number
  readonly names: readonly string[]
}

function listsOf(value: Json, pointer = ''): FoundList[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Json, index) => listsOf(item, `${pointer}/${index}`))
    const isTasks =
      /\/(?:do|try|branches|before|after)$/.test(pointer) && value.every((item: Json) => isObject(item) && Object.keys(item).length === 1)
    return isTasks
      ? [{ pointer, length: value.length, names: value.map((item: Json) => Object.keys(Object(item))[0] ?? '') }, ...items]
      : items
  }
  return isObject(value)
    ? Object.entries(value).flatMap(([key, item]) =>
        key === 'set' || key === 'metadata' || key === 'with'
          ? []
          : listsOf(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      )
    : []
}

const kinds = [
  'insert',
  'remove',
  'move',
  'rename',
  'set',
  'set-deep',
  'unset',
  'renameMember',
  'moveMember',
  'wrap',
  'unwrap',
  'duplicate',
  'disable',
  'enable',
  'extract',
  'replace',
] as const

const task: JsonObject = {
  fresh: {
    if: '.x > 1 # no comment',
    set: { text: 'two\nlines\n', list: [1, { a: 'x: y' }], empty: {}, none: [], word: 'yes', number: '1.0' },
  },
}

/** An edit of a kind at a place that two numbers choose; undefined when the document has no such place. */
function editOf(document: Json, kind: (typeof kinds)[number], one: number, two: number): Edit | undefined {
  const lists = listsOf(document)
  const list = lists[one % Math.max(lists.length, 1)]
  const other = lists[two % Math.max(lists.length, 1)]
  if (list === undefined || other === undefined) return undefined
  const from = list.length === 0 ? 0 : two % list.length
  const range = { list: list.pointer, from, count: list.length === 0 ? 0 : 1 + (one % (list.length - from)) }
  const pointer = `${list.pointer}/${from}/${list.names[from] ?? ''}`
  if (kind === 'insert') return { kind, list: list.pointer, at: two % (list.length + 1), tasks: [task] }
  if (list.length === 0) return undefined
  switch (kind) {
    case 'move':
      return { kind, ...range, to: other.pointer, at: one % (other.length + 1) }
    case 'rename':
      return { kind, task: pointer, name: one % 2 === 0 ? 'renamed' : 'get-it: now' }
    case 'set':
      return { kind, pointer, value: { wait: { seconds: 1 }, metadata: { note: 'a\nb' } } }
    case 'set-deep':
      return { kind: 'set', pointer: `${pointer}/${two % 2 === 0 ? 'metadata/note' : 'if'}`, value: "it's # fine" }
    case 'unset':
      return { kind, pointer: `${pointer}/${Object.keys(Object(at(document, list.pointer, from)))[one % 3] ?? 'if'}` }
    case 'renameMember':
      return { kind, pointer: `${pointer}/${Object.keys(Object(at(document, list.pointer, from)))[one % 3] ?? 'if'}`, name: 'it: new' }
    case 'moveMember':
      return {
        kind,
        pointer: `${pointer}/${Object.keys(Object(at(document, list.pointer, from)))[one % 3] ?? 'if'}`,
        by: two % 2 === 0 ? 1 : -1,
      }
    case 'wrap':
      return { kind, ...range, in: (['do', 'for', 'fork', 'try'] as const)[two % 4] ?? 'do', name: 'wrapper' }
    case 'unwrap':
    case 'disable':
    case 'enable':
      return { kind, task: pointer }
    case 'extract':
      return { kind, ...range, name: 'made' }
    case 'replace':
      return {
        kind,
        document: {
          ...Object(document),
          do: [
            task,
            ...tasksOf(document)
              .toReversed()
              .slice(one % 2),
          ],
        },
      }
    default:
      return { kind, ...range }
  }
}

function tasksOf(document: Json): readonly Json[] {
  const tasks = at(document, '/do')
  return Array.isArray(tasks) ? tasks : []
}

/** The value at a pointer, or the task of an item of the list there. */
function at(document: Json, pointer: string, index?: number): Json | undefined {
  const value = jsonAt(document, pointer)
  const item = index === undefined || !Array.isArray(value) ? undefined : value[index]
  return index === undefined ? value : isObject(item) ? Object.values(item)[0] : undefined
}

/** What is wrong with the result of an edit; faults that the edit deserves are right. */
function mistakes(text: string, syntax: DefinitionFormat, edit: Edit, result: EditResult): readonly string[] {
  if ('fault' in result)
    return result.fault.code === 'unsafe' || result.fault.code === 'unreadable' ? [`${result.fault.code}: ${JSON.stringify(edit)}`] : []
  const after = applyChanges(text, result.changes)
  const parsed = parseDefinition(after, { format: syntax })
  return [
    ...(sameJson(parsed.document ?? null, result.document) ? [] : [`read as something else: ${JSON.stringify(edit)}`]),
    ...(applyChanges(after, invertChanges(text, result.changes)) === text ? [] : ['undone to another text']),
    ...(keepsComments(edit) ? commentsOf(text).filter((comment) => !after.includes(comment)) : []).map(
      (comment) => `lost ${comment} in ${JSON.stringify(edit)}`,
    ),
  ]
}

function keepsComments({ kind }: Edit): boolean {
  return ['insert', 'rename', 'renameMember', 'moveMember', 'wrap', 'duplicate', 'move'].includes(kind)
}

function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/# (?:above|behind) \d+\r?$/gm)].map(([comment]) => comment.trim())
}

const edits = fc.record({ kind: fc.constantFrom(...kinds), one: fc.nat(60), two: fc.nat(60) })

test('an edit of any text gives the edit of its data, keeps comments, and can be undone', () => {
  fc.assert(
    fc.property(definitions, writings, fc.array(edits, { minLength: 3, maxLength: 3 }), (document, writing, drawn) => {
      const text = written(document, writing)
      for (const { kind, one, two } of drawn) {
        const edit = editOf(document, kind, one, two)
        if (edit === undefined) continue
        expect(mistakes(text, 'yaml', edit, editText(text, 'yaml', edit))).toEqual([])
      }
    }),
    { numRuns: 12 },
  )
})

test('the same edit of YAML and of JSON means the same', () => {
  fc.assert(
    fc.property(definitions, writings, fc.constantFrom('', '  ', '\t', '    '), edits, (document, writing, unit, { kind, one, two }) => {
      const edit = editOf(document, kind, one, two)
      if (edit === undefined) return
      const json = JSON.stringify(document, null, unit)
      const [first, second] = [editText(written(document, writing), 'yaml', edit), editText(json, 'json', edit)]
      expect(mistakes(json, 'json', edit, second)).toEqual([])
      if ('fault' in first || 'fault' in second) expect(first).toEqual(second)
      else expect(second.document).toEqual(first.document)
    }),
    { numRuns: 12 },
  )
})

/** Mistakes of every kind of edit at the places that pairs of numbers choose, and where the same text in JSON takes the edit otherwise. */
function mistakesOf(text: string, places: readonly (readonly [number, number])[]): readonly string[] {
  const document = parseDefinition(text).document ?? null
  const json = JSON.stringify(document, null, 2)
  const drawn = kinds.flatMap((kind) => places.map(([one, two]) => editOf(document, kind, one, two)))
  return drawn.flatMap((edit) => {
    if (edit === undefined) return []
    const [first, second] = [editText(text, 'yaml', edit), editText(json, 'json', edit)]
    const found = [...mistakes(text, 'yaml', edit, first), ...mistakes(json, 'json', edit, second)]
    const isSame = 'fault' in first || 'fault' in second ? sameFault(first, second) : sameJson(first.document, second.document)
    return isSame ? found : [...found, `other than in JSON: ${JSON.stringify(edit)}`]
  })
}

function sameFault(first: EditResult, second: EditResult): boolean {
  return 'fault' in first && 'fault' in second && first.fault.code === second.fault.code
}

describe('of the official examples', () => {
  describeConformance('each', (data) => {
    test.each(data.list('ows/examples', '.yaml'))('%s takes every edit at every task, and as JSON the same', (name) => {
      const places = [
        [0, 0],
        [3, 9],
      ] as const
      expect(mistakesOf(data.read(`ows/examples/${name}`), places)).toEqual([])
    })
  })
})

const templates = fileURLToPath(new URL('../../../server/templates/', import.meta.url))

test.each(readdirSync(templates).filter((name) => name.endsWith('.yaml')))(
  'the template %s takes every edit at every task, and as JSON the same',
  (name) => {
    expect(mistakesOf(readFileSync(join(templates, name), 'utf8'), [[3, 9]])).toEqual([])
  },
)
