import { format as nodeFormat } from 'node:util'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { defaultScriptLimits } from './limits.ts'
import { scriptRequest } from './request.ts'
import { scriptResult } from './result.ts'
import { outputOf, runHere } from './testing-sandbox.ts'

/** Texts with what is hard on the way: U+0000, line ends, characters of two units, and what means something to shells and to JavaScript. */
const text = fc.string({
  unit: fc.constantFrom('a', '\0', '\n', '\r', '\t', "'", '"', '`', '\\', '$', '{', '%', 's', '\u2028', 'é', '😀', '__proto__'),
  maxLength: 30,
})
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', 'PATH', ''))
const json = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)))

/** Each run costs 10 ms and more of a processor; `npm run test:deep` looks further. */
const runs = { numRuns: inject('deep') ? 200 : 10 }

const readAll = `
  const { readFileSync } = await import('node:fs')
  const environment = Object.entries(process.env)
  process.stdout.write(JSON.stringify({ stdin: readFileSync(0), arguments: process.argv.slice(2), environment }))`

describe('whatever a script is given', () => {
  test('it gets character by character', async () => {
    const given = fc.record({
      stdin: text,
      arguments: fc.array(text, { maxLength: 5 }),
      environment: fc.dictionary(name, text, { maxKeys: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(given, async (run) => {
        const got: unknown = JSON.parse(await outputOf(readAll, run))
        // Keys that are numbers come first in any object of JavaScript, so the order is not compared.
        expect(got).toEqual({ ...run, environment: expect.arrayContaining(Object.entries(run.environment)) })
      }),
      runs,
    )
  })

  test('as data, it reads again as that data', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.array(json, { maxLength: 3 }), async (stdin, values) => {
        const { run } = scriptRequest(
          { language: 'js', code: readAll, stdin: [stdin], arguments: values.map((value) => [value]) },
          defaultScriptLimits,
        )
        const got: { readonly stdin: string; readonly arguments: readonly string[] } = JSON.parse(await outputOf(run.code, run))
        expect(JSON.parse(got.stdin)).toEqual([stdin])
        expect(got.arguments.map((one): unknown => JSON.parse(one))).toEqual(values.map((value) => [value]))
      }),
      runs,
    )
  })
})

describe('whatever a script writes', () => {
  test('comes out on the stream that it was written to, in order, character by character', async () => {
    const writes = fc.array(fc.tuple(fc.constantFrom('stdout', 'stderr'), text), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        const code = `for (const [stream, text] of JSON.parse(process.argv[2])) process[stream].write(text)`
        const written = (stream: string) => all.map(([to, one]) => (to === stream ? one : '')).join('')
        expect(await runHere(code, { arguments: [JSON.stringify(all)] })).toEqual({
          kind: 'exited',
          code: 0,
          stdout: written('stdout'),
          stderr: written('stderr'),
        })
      }),
      runs,
    )
  })

  test('with console.log reads as Node would write it, in the sandbox as well', async () => {
    const values = fc.array(fc.oneof(json, text), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(values, async (all) => {
        const code = `console.log(...JSON.parse(process.argv[2]))`
        expect(await outputOf(code, { arguments: [JSON.stringify(all)] })).toBe(`${nodeFormat(...all)}\n`)
      }),
      runs,
    )
  })

  test('as its status is one that a process can have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, -1, 255, 256)), async (code) => {
        const status = Number.isInteger(code) ? ((code % 256) + 256) % 256 : 1
        const literal = Object.is(code, -0) ? '0' : String(code)
        expect(await runHere(`process.exit(${literal})`)).toMatchObject({ kind: 'exited', code: status })
        expect(await runHere(`process.exitCode = ${literal}`)).toMatchObject({ kind: 'exited', code: status })
      }),
      runs,
    )
  })
})

describe('whatever the code is', () => {
  const pieces = fc.constantFrom(
    'x',
    '1',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ';',
    '=',
    '=>',
    '.',
    ',',
    '`',
    '${',
    '"',
    '/',
    '*',
    '//',
    '\n',
    ' ',
    'await ',
    'import ',
    'export ',
    'function ',
    'class ',
    'return ',
    'yield ',
    'throw ',
    'new ',
    'process.exit(2)',
    'console.log(1)',
    'globalThis',
    'eval',
    'this',
    'async ',
    'let ',
    'var ',
    '#',
    '@',
    '\\u0041',
  )
  const code = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''))

  test('it ends as scripts end, with a result or an error that a workflow can catch', async () => {
    await fc.assert(
      fc.asyncProperty(code, async (source) => {
        const outcome = await runHere(source, {}, { timeoutMs: 200 })
        expect(outcome.kind).not.toBe('crashed')
        if (outcome.kind !== 'exited') return
        expect(scriptResult(outcome, 'all', defaultScriptLimits)).toEqual({
          code: outcome.code,
          stdout: outcome.stdout,
          stderr: outcome.stderr,
        })
        // Nothing fails in silence: a status of failure says why, unless the script has chosen it.
        if (outcome.code === 1) expect(outcome.stderr).toMatch(/^Uncaught /m)
      }),
      { numRuns: inject('deep') ? 400 : 25 },
    )
  })

  test('it runs the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(code, async (source) => {
        expect(await runHere(source, {}, { timeoutMs: 2_000 })).toEqual(await runHere(source, {}, { timeoutMs: 2_000 }))
      }),
      { numRuns: inject('deep') ? 100 : 5 },
    )
  })
})
