import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestServer } from '#testing/server.ts'
import { difference, fits, readSteps } from '#testing/read-page.ts'

const readPage = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const address = 'http://127.0.0.1:3000'

test.each(['quickstart.md', 'executions.md'])(
  'the commands of docs/%s do what the page shows, one after another in one shell',
  async (name) => {
    const page = await readPage(name)
    await using server = await createTestServer()
    const steps = readSteps(page)
    expect(steps.length).toBe(page.match(/^```sh$/gm)?.length)
    const outputs = await runAll(steps.map(({ command }) => command.replaceAll(address, server.url)))
    for (const [index, { shown, line }] of steps.entries()) {
      const output = outputs[index]?.trim() ?? ''
      const place = `docs/${name}:${line}\n${output}`
      if (shown?.syntax === 'json') expect(difference(JSON.parse(shown.text), JSON.parse(output)), place).toBeUndefined()
      else expect(fits(shown?.text.trim() ?? '', output.replaceAll('\r\n', '\n')), place).toBe(true)
    }
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
])('an answer that is not as shown is told: %j, %j', (shown, got) => {
  expect(difference(shown, got)).toBeTypeOf('string')
})

test('an answer with more members, or other text where the page has dots, is as shown', () => {
  expect(difference({ id: 'wf_…', list: [{ '…': '…' }], '…': '…' }, { id: 'wf_1', list: [{ a: 1 }], more: null })).toBeUndefined()
})

/** What each command prints. Files that they make lie in a folder of their own. */
async function runAll(commands: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-quickstart-'))
  const mark = '#### end of step'
  try {
    const script = commands.map((command) => `${command}\nprintf '\\n${mark}\\n'\n`).join('')
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder, timeout: 50_000 })
    return stdout.split(`\n${mark}\n`).slice(0, -1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
