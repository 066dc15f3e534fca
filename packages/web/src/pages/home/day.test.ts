import { afterAll, beforeEach, expect, test, vi } from 'vitest'

interface Run {
  readonly id: string
  readonly workflowId: string
  readonly state: string
  readonly trigger: string
  readonly endedAt: string | null
}

let today: readonly Run[] = []
const solved = new Set<string>()

/** What the operation finds of the runs of today, newest first. */
function search({ query }: { readonly query: Readonly<Record<string, string | number>> }) {
  const states = String(query['state'] ?? '')
    .split(',')
    .filter(Boolean)
  const triggers = String(query['trigger'] ?? '')
    .split(',')
    .filter(Boolean)
  const data = today.filter(
    (run) =>
      (states.length === 0 || states.includes(run.state)) &&
      (triggers.length === 0 || triggers.includes(run.trigger)) &&
      (query['needsAttention'] !== 'true' || (run.state === 'faulted' && run.trigger !== 'test' && !solved.has(run.id))),
  )
  return Promise.resolve({ data, nextCursor: null })
}

vi.mock('#src/api/client.ts', () => ({ api: { executions: { search } } }))
const { readDay } = await import('#src/pages/home/day.ts')
afterAll(() => vi.resetModules())
beforeEach(() => solved.clear())

/** Runs as a text has them, newest first: the workflow, what started it, and how it ended. */
const runs = (text: string): readonly Run[] =>
  text.split(', ').map((one, index) => {
    const [workflowId = '', trigger = '', state = ''] = one.split(' ')
    return { id: `run ${index}`, workflowId, trigger, state, endedAt: state === 'waiting' ? null : 'then' }
  })

async function failing(text: string) {
  today = runs(text)
  const day = await readDay('2026-11-30T00:00:00Z', 'UTC')
  return day.failing.map(({ last, failed, all, isPast }) => `${last.id}: ${failed} of ${all}${isPast ? ', past' : ''}`)
}

test.each([
  ['mails webhook faulted, mails webhook completed', ['run 0: 1 of 2']],
  // The data of a request is lost, whatever happens to the next one.
  ['mails webhook completed, mails webhook faulted, mails webhook faulted', ['run 1: 2 of 3, past']],
  ['mails webhook waiting, mails webhook completed, mails event faulted', ['run 2: 1 of 3, past']],
  // The next run on schedule does again what the one before did not, and who starts one by hand sees its end.
  ['nightly schedule completed, nightly schedule faulted', []],
  ['report manual completed, report manual faulted', []],
  ['draft test faulted, mails webhook completed', []],
  ['a webhook completed, b schedule faulted, a webhook faulted', ['run 2: 1 of 2, past', 'run 1: 1 of 1']],
])('of %s, %j needs a look', async (text, expected) => {
  expect(await failing(text)).toEqual(expected)
})

test('a failure that a retry completed needs none', async () => {
  solved.add('run 1')
  expect(await failing('mails webhook completed, mails webhook faulted')).toEqual([])
})
