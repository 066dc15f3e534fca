import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createTestServer } from '#testing/server.ts'
import { difference, readSteps } from '#testing/read-page.ts'
import { runPage } from '#testing/run-page.ts'

const readPage = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const address = 'http://127.0.0.1:3000'
/** Where the pages have something listen. */
const receiverPort = '4567'

test.each(['quickstart.md', 'executions.md', 'events.md'])(
  'the commands of docs/%s do what the page shows, one after another in one shell',
  async (name) => {
    const page = await readPage(name)
    await using server = await createTestServer()
    expect(readSteps(page).length).toBe(page.match(/^```sh$/gm)?.length)
    const adapted = page.replaceAll(address, server.url).replaceAll(receiverPort, String(await freePort()))
    expect(await runPage(adapted)).toEqual([])
  },
  60_000,
)

test('nearly every command of the quick start has its answer below it', async () => {
  const steps = readSteps(await readPage('quickstart.md'))
  expect(steps.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(20)
  expect(steps.filter(({ shown }) => shown === undefined).map(({ command }) => command)).toEqual([expect.stringContaining('field()')])
})

test.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, '…': '…' }, { b: 2 }],
  [[1], [1, 2]],
  ['wf_…', 'exec_1'],
  [null, 0],
  [{}, []],
])('a response that differs from the page is reported: %j, %j', (shown, got) => {
  expect(difference(shown, got)).toBeTypeOf('string')
})

test('an answer with more members, or other text where the page has dots, is as shown', () => {
  expect(difference({ id: 'wf_…', list: [{ '…': '…' }], '…': '…' }, { id: 'wf_1', list: [{ a: 1 }], more: null })).toBeUndefined()
})

/** A closed port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (bound === null || typeof bound === 'string') throw new Error('it does not listen on a port')
  return bound.port
}
