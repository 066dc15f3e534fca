import { parseDefinition } from '@millrace/dsl'
import { testConformance } from '@millrace/jq/testing/conformance.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createScriptFunction } from './script-function.ts'
import { createScriptPool } from './pool.ts'

const pool = createScriptPool({ limits: { timeoutMs: 1_000 } })
const script = createScriptFunction({ pool })
afterAll(() => pool.close())

function call(given: JsonObject, secrets: JsonObject = {}, signal = new AbortController().signal): Promise<Json> {
  return script({
    accountId: 'account',
    executionId: 'execution',
    arguments: { language: 'js', ...given },
    input: {},
    secrets,
    idempotencyKey: 'key',
    signal,
  })
}

const failing = `console.log('out'); console.error('because of this'); process.exit(3)`

test('a script gets what it is given and gives what it writes', async () => {
  const code = `
    import { readFileSync } from 'node:fs'
    const { price } = JSON.parse(readFileSync(process.stdin.fd, 'utf8'))
    console.log(price * Number(process.argv[2]), process.env.CURRENCY)`
  expect(await call({ code, stdin: { price: 5 }, arguments: ['3'], environment: { CURRENCY: 'EUR' } })).toBe('15 EUR\n')
})

test('the whole result has the status and both streams', async () => {
  expect(await call({ code: failing, return: 'all' })).toEqual({ code: 3, stdout: 'out\n', stderr: 'because of this\n' })
  expect(await call({ code: failing, return: 'code' })).toBe(3)
})

describe('a workflow can catch', () => {
  test.each([
    ['an unexpected status', { code: failing }, 'runtime', 'the script ended with status 3: because of this'],
    ['an uncaught error', { code: `null.x` }, 'runtime', 'TypeError'],
    ['a syntax error', { code: `const = 1` }, 'runtime', 'SyntaxError'],
    ['a script without end', { code: `for (;;);` }, 'timeout', 'more than 1 s of processor time'],
    ['a script that needs too much', { code: `new ArrayBuffer(2 ** 30)` }, 'runtime', 'more than 64 MiB'],
    ['a script that writes too much', { code: `for (;;) console.log('x'.repeat(1e5))` }, 'runtime', 'writes more than 1 MiB'],
    ['a script that is too long', { code: ' '.repeat(300_000) }, 'validation', 'the code of the script has 293 KiB'],
    ['another language', { code: '1', language: 'python' }, 'configuration', 'not in "python"'],
  ])('%s', async (_, given, type, detail) => {
    const error = await call(given).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(WorkflowError)
    expect(error).toMatchObject({ data: { type: expect.stringMatching(new RegExp(`/${type}$`)), detail: expect.stringContaining(detail) } })
  })
})

test('the error of a failed script contains no secret', async () => {
  const given = { code: `throw new Error('refused: ' + process.env.TOKEN)`, environment: { TOKEN: 'hush-hush' } }
  const error = await call(given, { deep: [{ token: 'hush-hush' }] }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ data: { detail: expect.stringContaining('refused: ***') } })
  expect(JSON.stringify(error)).not.toContain('hush-hush')
})

test('an aborted call ends with the reason of its signal, and is no error of the script', async () => {
  const controller = new AbortController()
  const running = call({ code: 'for (;;);' }, {}, controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
})

test('a pool that is closed is an error that a workflow can catch', async () => {
  const closed = createScriptPool()
  await closed.close()
  const gone = createScriptFunction({ pool: closed })
  const signal = new AbortController().signal
  const arguments_ = { language: 'js', code: '1' }
  const running = gone({ accountId: 'a', executionId: 'e', arguments: arguments_, input: {}, secrets: {}, idempotencyKey: 'k', signal })
  await expect(running).rejects.toMatchObject({ data: { detail: expect.stringContaining('shut down') } })
})

testConformance('the example of the specification runs as its comments say', async (data) => {
  const { document } = parseDefinition(data.read('ows/examples/run-script-with-stdin-and-arguments.yaml'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The example is known.
  const { do: tasks } = document as { do: [{ runScript: { run: { script: JsonObject } } }] }
  expect(await call(tasks[0].runScript.run.script)).toBe('stdin >  Hello Workflow\narg >  hello\nenv >  bar\n')
})
