import type { groups, Reply } from '@millrace/contract'
import type { Definition, Json } from '@millrace/dsl'
import {
  carryOver,
  compileWorkflow,
  createMachine,
  createTimelineWalk,
  type JournalEntry,
  type TimelineEntry,
  verify,
} from '@millrace/engine/replay'
import { functionsOf } from '#src/rehearse/functions-of.ts'
import { inSlices } from '#src/rehearse/in-slices.ts'

/** The whole record of a run. */
export type RunRecord = Omit<Reply<(typeof groups)['executions']['record']>, 'nextCursor'>

/** What a walk of this device over the record found. */
export type Walked =
  | { readonly kind: 'same'; readonly entries: number; readonly ms: number }
  | { readonly kind: 'different'; readonly detail: string }
  /** Its definition reads secrets, which no device gets. */
  | { readonly kind: 'secret' }

/** Walks a run again from its record, with the journal in place of every effect, and compares the end. */
export async function walkRecord(record: RunRecord, version: string): Promise<Walked> {
  const ended = replayable(record, version)
  if (ended.workflow.secrets.length > 0) return { kind: 'secret' }
  const from = performance.now()
  const { state, output, decisions } = record
  const error = errorOf(record.error)
  const { entries, difference } = await inSlices((turn) =>
    verify({ ...ended, state, output: jsonOf(output), error, decisions, isErased: record.erased !== undefined }, turn),
  )
  return difference === undefined
    ? { kind: 'same', entries, ms: performance.now() - from }
    : { kind: 'different', detail: difference.detail }
}

/** What a retry will do. */
export interface RetryPreview {
  /** Outcomes of the run that are taken over, by the name of their task, with how many there are. */
  readonly taken: ReadonlyMap<string, number>
  /** Tasks that perform something first. */
  readonly first: readonly TimelineEntry[]
  /** Outcomes of the run that are not taken over, by the name of their task, with how many there are: what they did is done again. */
  readonly again: ReadonlyMap<string, number>
  /** What ends the retry before anything is performed. */
  readonly end: 'completes' | { readonly name: string; readonly title: string } | { readonly unfit: string } | undefined
  /** Its definition reads secrets: expressions with them are not known here. */
  readonly secret: boolean
}

export interface RetryChange {
  readonly input: Json
  /** The definition of another version. */
  readonly definition?: Json | undefined
  readonly version: string
}

/** Walks a retry over the journal of its run, up to what it performs first. Nothing is called. */
export async function previewRetry(record: RunRecord, { input, definition, version }: RetryChange): Promise<RetryPreview> {
  const ended = replayable(record, version)
  const workflow = definition === undefined ? ended.workflow : compiled(definition, record)
  const retry = { ...ended, workflow, input, startedAtMs: Date.now() }
  const secret = workflow.secrets.length > 0
  const unfit = refusalOf(retry)
  if (unfit !== undefined) return { taken: new Map(), first: [], again: new Map(), end: { unfit }, secret }
  const entries = await inSlices((turn) => carryOver(ended, retry, turn))
  const timeline = await inSlices((turn) =>
    (function* () {
      const walk = createTimelineWalk(workflow, { id: retry.id, input, startedAtMs: retry.startedAtMs }, turn)
      walk.noteFailures(entries)
      yield* walk.begin()
      for (const entry of entries) yield* walk.deliver(entry)
      return walk.entries
    })(),
  )
  const taken = countOf(entries)
  const before = countOf(ended.entries.filter(({ ok }) => ok))
  const open = timeline.filter(({ state, kind }) => (state === 'running' || state === 'waiting') && !containers.has(kind))
  const failed = timeline.findLast(({ state }) => state === 'faulted')
  const end = open.length > 0 ? undefined : failed === undefined ? 'completes' : { name: failed.name, title: failed.error?.title ?? '' }
  const repeated = Array.from(before, ([name, count]) => [name, count - (taken.get(name) ?? 0)] as const)
  const again = new Map(repeated.filter(([, count]) => count > 0))
  return { taken, first: open, again, end, secret }
}

/** Why the schema of a workflow refuses an input; undefined for one that it takes. */
function refusalOf({ workflow, ...execution }: Omit<ReturnType<typeof replayable>, 'entries'>): string | undefined {
  if (workflow.inputCheck === undefined) return undefined
  const turn = { fuel: 0, interruptMs: 50, isOver: () => false, elapsed: () => performance.now(), tryBegin: () => true }
  const begun = { ...execution, definition: workflow.definition, runtime: {}, nowMs: execution.startedAtMs }
  const { ending } = createMachine(workflow, begun, undefined, { turn })
  return ending?.ok === false && ending.error.instance === '/input' ? (ending.error.detail ?? ending.error.title) : undefined
}

const containers = new Set(['do', 'for', 'fork', 'try'])

/** A run as it can be walked again, without its secrets. */
export function replayable(record: RunRecord, version: string) {
  return {
    id: record.executionId,
    workflow: compiled(jsonOf(record.definition) ?? null, record),
    input: jsonOf(record.input) ?? null,
    startedAtMs: Date.parse(record.startedAt ?? ''),
    secrets: {},
    runtime: { name: 'millrace', version, metadata: {} },
    entries: record.journal.map(entryOf),
  }
}

function compiled(definition: Json, { functions, resources }: RunRecord) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server validated it when the version was published.
  const valid = definition as unknown as Definition
  const known = functions.map((manifest) => ({ ...manifest, input: Object(manifest.input), output: Object(manifest.output) }))
  const others = functionsOf(valid).filter(({ name }) => known.every((manifest) => manifest.name !== name))
  return compileWorkflow(valid, { functions: [...known, ...others], resources: Object(resources) })
}

function entryOf({ startedAt, endedAt, value, ...entry }: RunRecord['journal'][number]): JournalEntry {
  return { ...entry, value: jsonOf(value) ?? null, startedAtMs: Date.parse(startedAt), endedAtMs: Date.parse(endedAt) }
}

function errorOf(error: RunRecord['error']) {
  if (error === undefined) return undefined
  const { type, status, title = '', detail, instance } = error
  return { type, status, title, ...(detail === undefined ? {} : { detail }), ...(instance === undefined ? {} : { instance }) }
}

/** How many outcomes each task has, by its name. */
function countOf(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { position, phase } of entries) {
    if (phase !== 'ended') continue
    const name = position.split('/').findLast((part) => !/^(?:\d+|do|try|catch|branches|timeout|retry)(?:[[~!]|$)/.test(part)) ?? ''
    const own = name.replace(/(?:\[\d+\]|[~!]\d+)+$/, '')
    counts.set(own, (counts.get(own) ?? 0) + 1)
  }
  return counts
}

function jsonOf(value: unknown): Json | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A member of a JSON document.
  return value as Json | undefined
}
