import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompiledWorkflow } from '#core/node.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { freshMachine, simulate, startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { outcomeOf } from '#durable/run/journal-entries.ts'
import { type VerifiableExecution } from './verify.ts'
import { verify } from '#testing/walks.ts'

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })
const bare = { id: 'exec', input: {}, startedAtMs, secrets: {}, runtime: {} }

type Ended = Pick<VerifiableExecution, 'state' | 'output' | 'error' | 'decisions'>

function endOf(machine: ReturnType<typeof freshMachine>): Ended {
  const { ending } = machine
  if (ending === undefined) return { state: 'running', output: undefined, error: undefined, decisions: '' }
  const { decisions } = ending
  return ending.ok
    ? { state: 'completed', output: ending.output, error: undefined, decisions }
    : { state: 'faulted', output: undefined, error: ending.error, decisions }
}

/** The value as the database stores it, in JSON. */
function stored<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}

/** A minimal replay to compare with. @returns undefined if it diverges. */
function follow(workflow: CompiledWorkflow, journal: readonly JournalEntry[]): Ended | undefined {
  const machine = freshMachine(workflow)
  const abandoned = new Set<string>()
  for (const entry of journal) {
    for (const position of machine.changes().abandoned) abandoned.add(position)
    if (entry.phase === 'started' || abandoned.has(entry.position)) continue
    const [, choicesMade = '', pauses = '0'] = /^(.*?)(?:p(\d+))?$/.exec(entry.decisions) ?? []
    for (let pause = 0; pause < Number(pauses); pause++) {
      if (!machine.paused) return undefined
      machine.continueAfterPause()
    }
    const pending = machine.pending.get(entry.position)
    if (pending === undefined || pending.decisions !== choicesMade) return undefined
    machine.resolve(entry.position, outcomeOf(entry), entry.endedAtMs)
  }
  while (machine.paused) machine.continueAfterPause()
  return endOf(machine)
}

test('the verification of an unchanged execution finds no difference', () => {
  const states = new Map<string, number>()
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      const end = endOf(machine)
      states.set(end.state, (states.get(end.state) ?? 0) + 1)
      const verdict = verify({ ...bare, workflow, entries: stored(journal), ...stored(end) })
      expect(verdict).toEqual({ entries: journal.length, difference: undefined })
    }),
    { numRuns: 400 },
  )
  for (const state of ['running', 'completed', 'faulted']) expect(states.get(state)).toBeGreaterThan(5)
})

test.each(['value', 'decisions', 'position', 'ok', 'endedAtMs'] as const)(
  'a changed %s in the journal is found if it changes the result',
  (part) => {
    let found = 0
    fc.assert(
      fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
        const { machine, journal } = simulate(workflow, order)
        const end = endOf(machine)
        const ended = journal.flatMap(({ phase, kind }, index) => (phase === 'ended' && kind !== 'message' ? [index] : []))
        const at = ended[pick % ended.length]
        const entry = at === undefined ? undefined : journal[at]
        if (at === undefined || entry === undefined || end.state === 'running') return
        const changed = journal.with(at, { ...entry, ...changeOf(part, entry, pick) })
        const walked = follow(workflow, changed)
        const differs = walked === undefined || JSON.stringify(walked) !== JSON.stringify(end)
        const { difference } = verify({ ...bare, workflow, entries: changed, ...end })
        expect(difference !== undefined).toBe(differs)
        if (walked === undefined) expect(difference?.part).toBe('journal')
        found += differs ? 1 : 0
      }),
      { numRuns: 400 },
    )
    expect(found).toBeGreaterThan(part === 'endedAtMs' ? -1 : 5)
  },
)

function changeOf(part: 'value' | 'decisions' | 'position' | 'ok' | 'endedAtMs', entry: JournalEntry, pick: number): Partial<JournalEntry> {
  if (part === 'value') return { value: { got: pick % 3, changed: true } }
  if (part === 'decisions') return { decisions: `s7${entry.decisions}` }
  if (part === 'position') return { position: `${entry.position}~9` }
  return part === 'ok' ? { ok: !entry.ok } : { endedAtMs: entry.endedAtMs + (pick % 200) }
}

test.each<[what: string, change: (end: Ended) => Partial<Ended>, part: string]>([
  ['output', ({ output }) => ({ output: [output ?? null] }), 'output'],
  ['state', () => ({ state: 'faulted', output: undefined, error: { type: 't', status: 1, title: 'Other' } }), 'state'],
  ['decisions at the end', ({ decisions }) => ({ decisions: `${decisions}w1` }), 'decisions'],
])('another %s of a completed execution is found', (_what, change, part) => {
  let found = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      const end = endOf(machine)
      if (end.state !== 'completed') return
      expect(verify({ ...bare, workflow, entries: journal, ...end, ...change(end) }).difference?.part).toBe(part)
      found += 1
    }),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(3)
})

test('another error of a faulted execution is found', () => {
  let found = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      const end = endOf(machine)
      if (end.state !== 'faulted' || end.error === undefined) return
      const error = { ...end.error, detail: 'another' }
      expect(verify({ ...bare, workflow, entries: journal, ...end, error }).difference).toMatchObject({ part: 'error', recorded: error })
      const completed = { ...end, state: 'completed', output: 1, error: undefined } as const
      expect(verify({ ...bare, workflow, entries: journal, ...completed }).difference?.part).toBe('state')
      found += 1
    }),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(3)
})

test('a stored end of an execution that has not ended is found', () => {
  let found = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      if (machine.ending !== undefined) return
      const end = { state: 'completed', output: {}, error: undefined, decisions: '' } as const
      expect(verify({ ...bare, workflow, entries: journal, ...end }).difference).toMatchObject({ part: 'state' })
      found += 1
    }),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(3)
})
