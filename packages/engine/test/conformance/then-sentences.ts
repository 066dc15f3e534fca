import { expect } from 'vitest'
import { isObject, type Json } from '#core/json.ts'
import type { Outcome, Traced } from './running.ts'
import { listIn, msIn, type Sentence, valueIn } from './sentence.ts'
import type { World } from './world.ts'

const ERRORS = 'https://open-workflow-specification.org/spec/1.0.0/errors/'

/** Steps that check the result of a workflow. */
export const thenSentences: readonly Sentence[] = [
  [/^the workflow should complete$/, async (world) => void (await completed(world))],
  [/^the workflow should complete with output:$/, async (world, { value }) => expect((await completed(world)).output).toEqual(value)],
  [
    /^the workflow should complete with output (.*[^:])$/,
    async (world, { words: [value] }) => expect((await completed(world)).output).toEqual(valueIn(value)),
  ],
  [/^the workflow should fault$/, async (world) => expect(await world.outcome()).toMatchObject({ state: 'faulted' })],
  [
    /^the workflow should fault with error:$/,
    async (world, { value }) => expect(await world.outcome()).toMatchObject({ state: 'faulted', error: value }),
  ],
  [
    /^the workflow should fault with the (\S+) error at (\S+)$/,
    async (world, { words: [type, instance] }) =>
      expect(await world.outcome()).toMatchObject({ state: 'faulted', error: { type: `${ERRORS}${type}`, instance } }),
  ],
  [
    /^the detail of the error should contain (.+)$/,
    async (world, { words: [text] }) => expect((await world.outcome()).error?.detail).toContain(text),
  ],
  [/^the workflow should be waiting$/, async (world) => expect(await world.outcome()).toMatchObject({ state: 'waiting' })],
  [/^the workflow should be cancelled$/, async (world) => expect(await world.outcome()).toMatchObject({ state: 'cancelled' })],
  [
    /^the workflow should have answered (.+)$/,
    async (world, { words: [value] }) => expect((await world.outcome()).answer).toEqual(valueIn(value)),
  ],
  [
    /^the workflow output should have properties (.*)$/,
    async (world, { words: [names = ''] }) => {
      const { output } = await world.outcome()
      for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) expect(at(output, name), name).toBeDefined()
    },
  ],
  [
    /^the workflow output should have an? '([^']+)' property with value:$/,
    async (world, { words: [name = ''], value }) => expect(at((await world.outcome()).output, name)).toEqual(value),
  ],
  [
    /^the workflow output should have an? '([^']+)' property containing (\d+) items$/,
    async (world, { words: [name = '', count] }) => expect(at((await world.outcome()).output, name)).toHaveLength(Number(count)),
  ],
  [
    /^the workflow output should match:$/,
    async (world, { value }) => expect((await completed(world)).output).toMatchObject(objectOrList(value)),
  ],
  [/^it should have taken (P\S+)$/, async (world, { words: [time] }) => expect((await world.outcome()).tookMs).toBe(msIn(time))],
  [
    /^it should have taken between (P\S+) and (P\S+)$/,
    async (world, { words: [from, to] }) => {
      const { tookMs } = await world.outcome()
      expect(tookMs).toBeGreaterThanOrEqual(msIn(from))
      expect(tookMs).toBeLessThanOrEqual(msIn(to))
    },
  ],
  [/^(\S+) should run first$/, async (world, { words: [name] }) => expect((await completedNames(world))[0]).toBe(name)],
  [/^(\S+) should run last$/, async (world, { words: [name] }) => expect((await completedNames(world)).at(-1)).toBe(name)],
  [
    /^(\S+) should run after (\S+)$/,
    async (world, { words: [later = '', earlier = ''] }) => {
      const ran = await completedNames(world)
      expect(ran).toContain(earlier)
      expect(ran.indexOf(later)).toBeGreaterThan(ran.indexOf(earlier))
    },
  ],
  [
    /^(.+) should have completed, in this order$/,
    async (world, { words: [all] }) => expect(await completedNames(world)).toEqual(listIn(all)),
  ],
  [
    /^(\S+) should have been started (\d+) times$/,
    async (world, { words: [name, n] }) => expect(await timesOf(world, 'started', name)).toBe(Number(n)),
  ],
  [/^(\S+) should have run once$/, async (world, { words: [name] }) => expect(await timesOf(world, 'completed', name)).toBe(1)],
  [/^(\S+) should not have run$/, async (world, { words: [name] }) => expect(await timesOf(world, 'started', name)).toBe(0)],
  [/^(\S+) should have been skipped$/, async (world, { words: [name] }) => expect(await timesOf(world, 'skipped', name)).toBe(1)],
  [
    /^(\S+) should have been started after (.+)$/,
    async (world, { words: [name, times] }) => {
      const started = (await trace(world)).filter((one) => one.what === 'started' && one.name === name)
      expect(started.map(({ afterMs }) => afterMs)).toEqual(listIn(times).map(msIn))
    },
  ],
  [
    /^the output should not contain (\S+)$/,
    async (world, { words: [text = ''] }) => {
      const { output, error } = await world.outcome()
      expect(JSON.stringify([output ?? null, error ?? null])).not.toContain(text)
    },
  ],
  [
    /^the events emitted should be:$/,
    async (world, { value }) => expect((await world.outcome()).events).toMatchObject(objectOrList(value)),
  ],
  [
    /^the events emitted should have ids that differ$/,
    async (world) => {
      const { events } = await world.outcome()
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    },
  ],
  [
    /^the requests should have a header (\S+) that differs$/,
    async (world, { words: [name = ''] }) => {
      await world.outcome()
      const values = world.service.asked.map(({ headers }) => headers[name])
      expect(values).not.toContain(undefined)
      expect(new Set(values).size).toBe(values.length)
    },
  ],
  [
    /^the events of type (\S+) should have the data (.+)$/,
    async (world, { words: [type, data] }) => {
      const { events } = await world.outcome()
      expect(events.filter((event) => event.type === type).map((event) => event.data)).toEqual(valueIn(data))
    },
  ],
  [/^no event should have been emitted$/, async (world) => expect((await world.outcome()).events).toEqual([])],
  [
    /^(GET|POST|PUT|PATCH|DELETE) (\S+) should have been asked for (\d+) times?$/,
    async (world, { words: [method, url, times] }) => {
      await world.outcome()
      expect(world.service.asked.filter((one) => one.method === method && one.url === url)).toHaveLength(Number(times))
    },
  ],
  [
    /^(GET|POST|PUT|PATCH|DELETE) (\S+) should have been asked for with:$/,
    async (world, { words: [method, url], value }) => {
      await world.outcome()
      const asked = world.service.asked.filter((one) => one.method === method && one.url === url)
      expect(asked.at(-1)).toMatchObject(objectOrList(value))
    },
  ],
]

async function completed(world: World): Promise<Outcome> {
  const outcome = await world.outcome()
  expect(outcome).toMatchObject({ state: 'completed' })
  return outcome
}

async function trace(world: World): Promise<readonly Traced[]> {
  const { trace: traced } = await world.outcome()
  if (traced === undefined) throw new Error('the trace of tasks is available in memory only')
  return traced
}

/** Names of the tasks that completed, in order. */
async function completedNames(world: World): Promise<readonly string[]> {
  return (await trace(world)).filter(({ what }) => what === 'completed').map(({ name }) => name)
}

async function timesOf(world: World, what: Traced['what'], name: string | undefined): Promise<number> {
  return (await trace(world)).filter((one) => one.what === what && one.name === name).length
}

/** The member at a path of names with dots between them. */
function at(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const name of path.split('.')) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

function objectOrList(value: Json): object {
  if (typeof value !== 'object' || value === null) throw new Error('an object or a list is expected')
  return value
}
