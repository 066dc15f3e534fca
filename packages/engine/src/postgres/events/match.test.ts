import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { correlationKeyOf } from '#events/correlation-key.ts'
import { createEvaluator } from '#events/evaluate.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { buildListeners, listenersOfWait } from '#events/listeners-of-wait.ts'
import { newUuid } from '#testing/uuid.ts'
import { createBudget } from './budget.ts'
import type { FilterIndexing } from './index-filters.ts'
import { indexFilters } from './index-filters.ts'
import { match } from './match.ts'
import type { MatchPass, UnindexedFilter } from './read-pass.ts'
import type { EventRecord, FilterRecord, ListenerRecord } from './records.ts'

/** Ids in their order: `e1 < e2`, `l1 < l2`. */
const accountId = 'account'
const cache = createFilterCache(100)

interface FilterSource {
  readonly with?: JsonObject
  readonly from?: JsonObject
  readonly expected?: JsonObject
  readonly role?: 'event' | 'until'
}

const paid: FilterSource = { with: { type: 'paid' } }
const paidOrder = (order: string): FilterSource => ({ with: { type: 'paid' }, from: { order: '.data.order' }, expected: { order } })
const anyOrder = (type: string): FilterSource => ({ with: { type }, from: { order: '.data.order' } })
/** Takes more steps than a filter may. */
const failing: FilterSource = { with: { type: 'paid', data: '${ last(repeat(1)) }' } }

function event(id: string, data: Json = {}, record: Partial<EventRecord> = {}): EventRecord {
  const type = 'paid'
  return {
    id,
    accountId,
    type,
    event: { id, source: '/test', type, data },
    expired: false,
    size: 64,
    takers: 0,
    matchedTo: undefined,
    ...record,
  }
}

/** The listeners of the wait `wait`, with the ids `l1, l2, …` from `first`. */
function listeners(
  wait: string,
  takes: 'one' | 'each' | 'many',
  filters: readonly FilterSource[],
  { first = 1, ...record }: Partial<ListenerRecord> & { readonly first?: number } = {},
): readonly ListenerRecord[] {
  const sources = filters.map(({ with: attributes = {}, from = {}, expected = {}, role = 'event' }, index) => ({
    role,
    index,
    filter: { with: attributes, from, variables: [] },
    expected,
  }))
  const newWait = { position: '/do/0/listen', topic: 'events', arguments: { takes, filters: sources } }
  const rows = listenersOfWait({ accountId, executionId: wait, wait: newWait }, cache, newUuid)
  return rows.map((row, index) => ({
    ...row,
    id: `l${first + index}`,
    isNew: false,
    isIndexed: true,
    indexedTo: undefined,
    keptTo: undefined,
    scopeSize: 0,
    ...record,
  }))
}

function pass(
  parts: Partial<Omit<MatchPass, 'candidates'>> & { readonly candidates?: readonly ListenerRecord[]; readonly to?: string },
): MatchPass {
  const { candidates = [], to, ...rest } = parts
  const empty = {
    accountId,
    events: [],
    filters: [],
    newListeners: [],
    hasDeferredListeners: false,
    bindable: [],
    unindexed: [],
    keptStreams: [],
  }
  return { ...empty, ...rest, candidates: { items: candidates, to } }
}

/** New listeners with the kept events that the pass has for them. */
function opened(newListeners: readonly ListenerRecord[], kept: readonly EventRecord[], to?: string) {
  return { newListeners, keptStreams: [{ listeners: newListeners, page: { items: kept, to } }] }
}

function filterOf({ filterId, filter }: ListenerRecord, indexesKept: boolean): FilterRecord {
  return { accountId, id: filterId, type: filter.type, filter, indexesKept }
}

function run<T>(computation: Generator<void, T>): T {
  for (;;) {
    const step = computation.next()
    if (step.done === true) return step.value
  }
}

const nothingIndexed: FilterIndexing = { rows: [], progress: [], failures: [], isComplete: true }

/** The decision in brief: `e1 -> l1` for each match, and ids for everything else. */
function decide(matchPass: MatchPass, { steps = 1_000_000, indexing = nothingIndexed } = {}) {
  const { evaluate } = createEvaluator()
  const decided = run(match(matchPass, indexing, { evaluate, budget: createBudget(steps) }))
  return {
    matches: decided.matches.map((found) => `${found.event.id} -> ${found.listener.id}`),
    failed: decided.failures.map((failure) => `${failure.event.id} -> ${failure.listener.id}`),
    bound: Object.fromEntries([...decided.bindings].map(([id, { expected }]) => [id, expected])),
    caughtUp: decided.caughtUp.map(({ id }) => id),
    catchingUp: decided.catchingUp.map(({ listener, keptTo }) => `${listener.id} to ${keptTo}`),
    matchedEvents: decided.matchedEvents.map(({ id }) => id),
    unfinished: decided.unfinishedEvent && `${decided.unfinishedEvent.event.id} to ${decided.unfinishedEvent.matchedTo}`,
    kept: decided.keptRows.map(({ eventId }) => eventId),
  }
}

const noDecision = { matches: [], failed: [], bound: {}, caughtUp: [], catchingUp: [], matchedEvents: [], unfinished: undefined, kept: [] }

describe('matching', () => {
  const [a1] = listeners('a', 'one', [paid])
  const [b2] = listeners('b', 'one', [paid], { first: 2 })
  const order = (id: string) => ({ order: id })
  const indexed = a1 === undefined ? [] : [filterOf(a1, true)]
  const notIndexed = a1 === undefined ? [] : [filterOf(a1, false)]

  test.each<[string, MatchPass, Partial<ReturnType<typeof decide>>]>([
    ['an empty pass changes nothing', pass({}), {}],
    [
      'an event goes to every wait that it matches',
      pass({ events: [event('e1')], candidates: [...listeners('a', 'one', [paid]), ...listeners('b', 'one', [paid], { first: 2 })] }),
      { matches: ['e1 -> l1', 'e1 -> l2'], matchedEvents: ['e1'] },
    ],
    [
      'a wait for one event receives the first that matches',
      pass({ events: [event('e1'), event('e2')], candidates: listeners('a', 'one', [paid]), filters: indexed }),
      { matches: ['e1 -> l1'], matchedEvents: ['e1', 'e2'], kept: ['e2'] },
    ],
    [
      'a wait for any of several filters receives one event by its first filter that matches',
      pass({ events: [event('e1', order('1'))], candidates: listeners('a', 'one', [paidOrder('2'), paid, paidOrder('1')]) }),
      { matches: ['e1 -> l2'], matchedEvents: ['e1'] },
    ],
    [
      'a wait for all of several filters receives an event by each of them',
      pass({ events: [event('e1')], candidates: listeners('a', 'each', [paid, { with: { source: '/test' } }]) }),
      { matches: ['e1 -> l1', 'e1 -> l2'], matchedEvents: ['e1'] },
    ],
    [
      'a wait for many events receives each of them once, whatever number of filters it passes',
      pass({ events: [event('e1'), event('e2')], candidates: listeners('a', 'many', [paid, { with: { source: '/test' } }]) }),
      { matches: ['e1 -> l1', 'e2 -> l1'], matchedEvents: ['e1', 'e2'] },
    ],
    [
      'an event with other correlation values does not match',
      pass({ events: [event('e1', order('1'))], candidates: [...listeners('a', 'one', [paidOrder('2')])] }),
      { matchedEvents: ['e1'] },
    ],
    [
      'the first event binds the open correlation for all later ones',
      pass({
        events: [event('e1', order('1')), event('e2', order('2')), event('e3', order('1'))],
        candidates: listeners('a', 'many', [anyOrder('paid')]),
      }),
      { matches: ['e1 -> l1', 'e3 -> l1'], bound: { l1: order('1') }, matchedEvents: ['e1', 'e2', 'e3'] },
    ],
    [
      'an event binds the listeners of its wait that are not candidates, too',
      pass({
        events: [event('e1', order('1'))],
        candidates: listeners('a', 'many', [anyOrder('paid')]),
        bindable: listeners('a', 'many', [anyOrder('paid'), anyOrder('shipped')]),
      }),
      { matches: ['e1 -> l1'], bound: { l1: order('1'), l2: order('1') }, matchedEvents: ['e1'] },
    ],
    [
      'a filter that fails ends the wait of its listener and of no other',
      pass({
        events: [event('e1')],
        candidates: [...listeners('a', 'each', [failing, paid]), ...listeners('b', 'one', [paid], { first: 3 })],
      }),
      { failed: ['e1 -> l1'], matches: ['e1 -> l3'], matchedEvents: ['e1'] },
    ],
    [
      'an expired event matches nothing and is not kept',
      pass({ events: [event('e1', {}, { expired: true })], candidates: listeners('a', 'one', [paid]), filters: indexed }),
      { matchedEvents: ['e1'] },
    ],
    [
      'an event that no listener receives is indexed for the filters that have an index',
      pass({ events: [event('e1')], filters: [...indexed, ...notIndexed.map((filter) => ({ ...filter, id: 'other' }))] }),
      { matchedEvents: ['e1'], kept: ['e1'] },
    ],
    [
      'an event that was received in an earlier pass is not kept',
      pass({ events: [event('e1', {}, { takers: 1 })], filters: indexed }),
      { matchedEvents: ['e1'] },
    ],
    [
      'an event continues after the listeners that it was matched with',
      pass({ events: [event('e1', {}, { matchedTo: 'l1' })], candidates: [a1, b2].flatMap((listener) => listener ?? []) }),
      { matches: ['e1 -> l2'], matchedEvents: ['e1'] },
    ],
    [
      'an event with more listeners than the page stays unfinished at the end of the page',
      pass({ events: [event('e1')], candidates: listeners('a', 'one', [paid]), to: 'l1' }),
      { matches: ['e1 -> l1'], unfinished: 'e1 to l1' },
    ],
    [
      'a kept event goes to the first of the waits that opened after it',
      pass(
        opened(
          [a1, b2].flatMap((listener) => listener ?? []),
          [event('e1')],
        ),
      ),
      { matches: ['e1 -> l1'], caughtUp: ['l1', 'l2'] },
    ],
    [
      'a new listener receives kept events before new ones',
      pass({ ...opened(listeners('a', 'one', [paid]), [event('e1')]), events: [event('e2')], candidates: listeners('a', 'one', [paid]) }),
      { matches: ['e1 -> l1'], caughtUp: ['l1'], matchedEvents: ['e2'] },
    ],
    [
      'new events wait while a new listener has kept events left',
      pass({
        ...opened(listeners('a', 'many', [paid]), [event('e1')], 'e1'),
        events: [event('e3')],
        candidates: listeners('a', 'many', [paid]),
      }),
      { matches: ['e1 -> l1'], catchingUp: ['l1 to e1'] },
    ],
    [
      'new events wait while a candidate has not been matched with the kept events',
      pass({ events: [event('e1')], candidates: listeners('a', 'one', [paid], { isNew: true }), hasDeferredListeners: true }),
      {},
    ],
    [
      'a listener does not receive a kept event that it was matched with before',
      pass(opened(listeners('a', 'many', [paid], { keptTo: 'e1' }), [event('e1'), event('e2')])),
      { matches: ['e2 -> l1'], caughtUp: ['l1'] },
    ],
  ])('%s', (_rule, given, expected) => {
    expect(decide(given)).toEqual({ ...noDecision, ...expected })
  })

  test('a spent budget ends the pass after one event, or between the waits of one event', () => {
    const twoWaits = [a1, b2].flatMap((listener) => listener ?? [])
    const events = [event('e1'), event('e2')]
    expect(decide(pass({ events, candidates: listeners('a', 'many', [paid]) }), { steps: 1 })).toMatchObject({ matchedEvents: ['e1'] })
    expect(decide(pass({ events, candidates: twoWaits }), { steps: 1 })).toEqual({
      ...noDecision,
      matches: ['e1 -> l1'],
      unfinished: 'e1 to l1',
    })
    expect(decide(pass(opened(listeners('a', 'many', [paid]), events)), { steps: 1 })).toMatchObject({ catchingUp: ['l1 to e1'] })
  })

  test('a decision changes nothing of its pass, so the same pass is decided the same again', () => {
    const given = pass({ events: [event('e1', order('1'))], candidates: listeners('a', 'many', [anyOrder('paid')]) })
    const before = structuredClone(given.candidates.items.map(({ filter: _filter, ...listener }) => listener))
    expect(decide(given)).toEqual(decide(given))
    expect(given.candidates.items.map(({ filter: _filter, ...listener }) => listener)).toEqual(before)
  })

  test('while the index of kept events is incomplete or has new rows, only failures of filters are applied', () => {
    const newListeners = [...listeners('a', 'one', [paid]), ...listeners('b', 'one', [failing], { first: 2 })]
    const given = pass({ ...opened(newListeners, [event('e1')]), events: [event('e2')], candidates: newListeners })
    const failure = { kind: 'failure', reason: 'too many steps' } as const
    const failures = [{ filterId: newListeners[1]?.filterId ?? '', event: event('e1'), failure }]
    const expected = { ...noDecision, failed: ['e1 -> l2'] }
    expect(decide(given, { indexing: { ...nothingIndexed, failures, isComplete: false } })).toEqual(expected)
    const rows = [{ accountId, filterId: 'f', key: 'k', eventId: 'e1' }]
    expect(decide(given, { indexing: { ...nothingIndexed, failures, rows } })).toEqual(expected)
  })
})

describe('indexing kept events for new filters', () => {
  function index(unindexed: readonly UnindexedFilter[], steps = 1_000_000) {
    const { rows, progress, failures, isComplete } = run(
      indexFilters({ unindexed }, { evaluate: createEvaluator().evaluate, budget: createBudget(steps) }),
    )
    return {
      rows: rows.map(({ eventId, key }) => [eventId, key]),
      progress: progress.map(({ to, isComplete: isFilterComplete }) => [to, isFilterComplete]),
      failed: failures.map((failure) => failure.event.id),
      isComplete,
    }
  }
  const [listener] = listeners('a', 'one', [paidOrder('1')])
  const [failingListener] = listeners('b', 'one', [failing])
  if (listener === undefined || failingListener === undefined) throw new Error('a wait has one listener for each filter')
  const filter = filterOf(listener, false)
  const keyOfOrder = (order: string) => correlationKeyOf({ order })
  const events = [event('e1', { order: '1' }), event('e2', { order: '2' })]

  test.each<[string, UnindexedFilter, number | undefined, ReturnType<typeof index>]>([
    [
      'every event that passes gets a row with its correlation key',
      {
        filter,
        indexedTo: undefined,
        page: { items: [...events, event('e3', {}, { type: 'shipped', event: { type: 'shipped' } })], to: undefined },
      },
      undefined,
      {
        rows: [
          ['e1', keyOfOrder('1')],
          ['e2', keyOfOrder('2')],
        ],
        progress: [['e3', true]],
        failed: [],
        isComplete: true,
      },
    ],
    [
      'a filter with more kept events than the page is incomplete',
      { filter, indexedTo: undefined, page: { items: events, to: 'e2' } },
      undefined,
      {
        rows: [
          ['e1', keyOfOrder('1')],
          ['e2', keyOfOrder('2')],
        ],
        progress: [['e2', false]],
        failed: [],
        isComplete: false,
      },
    ],
    [
      'a spent budget stops after one event',
      { filter, indexedTo: undefined, page: { items: events, to: undefined } },
      1,
      { rows: [['e1', keyOfOrder('1')]], progress: [['e1', false]], failed: [], isComplete: false },
    ],
    [
      'a filter without kept events is complete',
      { filter, indexedTo: undefined, page: { items: [], to: undefined } },
      undefined,
      { rows: [], progress: [[undefined, true]], failed: [], isComplete: true },
    ],
    [
      'a filter that fails stops before the event and does not delay the pass',
      { filter: filterOf(failingListener, false), indexedTo: 'e0', page: { items: events, to: undefined } },
      undefined,
      { rows: [], progress: [['e0', false]], failed: ['e1'], isComplete: true },
    ],
  ])('%s', (_rule, unindexed, steps, expected) => {
    expect(index([unindexed], steps)).toEqual(expected)
  })
})

test('no id lies between those of the listeners of one wait, also if two waits are written at the same time', () => {
  const filters = [0, 1, 2].map((index) => ({ role: 'event', index, filter: { with: {}, from: {}, variables: [] }, expected: {} }))
  const wait = { position: '/do/0/listen', topic: 'events', arguments: { takes: 'many', filters } }
  const [one, other] = ['a', 'b'].map((executionId) => buildListeners({ accountId, executionId, wait }, cache, newUuid))
  const rows: { readonly id: string; readonly executionId: string }[] = []
  for (let done = 0; done < 2; )
    for (const steps of [one, other]) {
      const step = steps?.next()
      if (step?.done !== true) continue
      rows.push(...step.value)
      done += 1
    }
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ executionId }) => executionId)
  expect(inOrder.join('')).toMatch(/^(?:aaabbb|bbbaaa)$/)
})
