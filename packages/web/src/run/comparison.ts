import type { TimelineEntry } from '#src/run/use-run.ts'
import { jsonDifferences } from '#src/values/json-diff.ts'

export type Side = 'left' | 'right'

/** What one run did with a task, over its rounds and tries. */
export interface SideFacts {
  readonly state: TimelineEntry['state']
  readonly durationMs: number | undefined
  readonly entries: number
}

/** A task in two runs. */
export interface TaskComparison {
  readonly key: string
  readonly name: string
  readonly left: SideFacts | undefined
  readonly right: SideFacts | undefined
  /** Its first pair of attempts whose outcomes differ, and how many do. */
  readonly differs: Pair | undefined
  readonly different: number
  /** One run needed more than twice the time of the other. */
  readonly slower: Side | undefined
}

/** The same attempt of the same task in both runs, or in one of them. */
export interface Pair {
  readonly name: string
  readonly left: TimelineEntry | undefined
  readonly right: TimelineEntry | undefined
}

export interface Comparison {
  /** Where the runs part; undefined for runs that did the same. */
  readonly first: Pair | undefined
  readonly tasks: readonly TaskComparison[]
}

const containers = new Set(['do', 'for', 'fork', 'try'])
const slowerFactor = 2
const slowerMsMin = 50

/** Compares two runs task by task. Runs of one version are aligned by position, others by the names of the tasks around a task. */
export function compareRuns(left: readonly TimelineEntry[], right: readonly TimelineEntry[], sameVersion: boolean): Comparison {
  const keyOf = sameVersion ? (text: string) => text : withoutIndices
  const sides = { left: sideOf(left, keyOf), right: sideOf(right, keyOf) }
  const pairs = aligned(sides.left, sides.right)
  const byTask = Map.groupBy(pairs, ({ left: one, right: other }) => keyOf((one ?? other)?.reference ?? ''))
  const tasks = [...byTask].map(([key, own]) => taskOf(key, own))
  return { first: pairs.find(isDifferent), tasks }
}

type Entries = ReadonlyMap<string, TimelineEntry>

function sideOf(entries: readonly TimelineEntry[], keyOf: (text: string) => string): Entries {
  return new Map(entries.filter(({ kind }) => !containers.has(kind)).map((entry) => [keyOf(entry.position), entry]))
}

/** The pairs in the order of the left run; what only the right run has stands where that run had it. */
function aligned(left: Entries, right: Entries): readonly Pair[] {
  const after = new Map<string, Pair[]>()
  let last = ''
  for (const [key, entry] of right) {
    if (left.has(key)) last = key
    else after.set(last, [...(after.get(last) ?? []), { name: entry.name, left: undefined, right: entry }])
  }
  const pairs = [...left].flatMap(([key, entry]) => [{ name: entry.name, left: entry, right: right.get(key) }, ...(after.get(key) ?? [])])
  return [...(after.get('') ?? []), ...pairs]
}

/** Whether the outcomes differ: a task that only one run has, another state, another output or error. */
function isDifferent({ left, right }: Pair): boolean {
  if (left === undefined || right === undefined) return (left ?? right)?.state !== 'skipped'
  if (left.state !== right.state) return true
  if (left.error !== undefined || right.error !== undefined) return jsonDifferences(left.error, right.error, 1).length > 0
  if (left.outputReference !== undefined || right.outputReference !== undefined)
    return left.outputReference?.bytes !== right.outputReference?.bytes
  return jsonDifferences(left.output, right.output, 1).length > 0
}

function taskOf(key: string, pairs: readonly Pair[]): TaskComparison {
  const left = factsOf(pairs.flatMap((pair) => pair.left ?? []))
  const right = factsOf(pairs.flatMap((pair) => pair.right ?? []))
  const different = pairs.filter(isDifferent)
  return { key, name: pairs[0]?.name ?? '', left, right, differs: different[0], different: different.length, slower: slowerOf(left, right) }
}

function factsOf(entries: readonly TimelineEntry[]): SideFacts | undefined {
  const last = entries.at(-1)
  if (last === undefined) return undefined
  let durationMs: number | undefined = 0
  for (const { startedAt, endedAt } of entries)
    durationMs = endedAt === null || durationMs === undefined ? undefined : durationMs + Date.parse(endedAt) - Date.parse(startedAt)
  return { state: last.state, durationMs, entries: entries.length }
}

function slowerOf(left: SideFacts | undefined, right: SideFacts | undefined): Side | undefined {
  if (left?.durationMs === undefined || right?.durationMs === undefined) return undefined
  const [one, other] = [left.durationMs, right.durationMs]
  if (Math.abs(one - other) < slowerMsMin || Math.max(one, other) < slowerFactor * Math.min(one, other)) return undefined
  return one > other ? 'left' : 'right'
}

/** Another version may have more or fewer tasks before a task. */
function withoutIndices(text: string): string {
  return text.replaceAll(/\/(do|try|branches|before|after|function)\/\d+\//g, '/$1/')
}
