import { afterAll, describe, expect, test } from 'vitest'
import { createScriptPool } from './pool.ts'
import type { ScriptOutcome } from './messages.ts'
import { runHere } from './testing-sandbox.ts'

const pool = createScriptPool({ limits: { timeoutMs: 100 } })
const patient = createScriptPool({ limits: { timeoutMs: 60_000 } })
/** Little memory is used up soon. */
const small = createScriptPool({ limits: { timeoutMs: 110_000, memoryBytes: 4 * 2 ** 20 } })
afterAll(async () => {
  await Promise.all([pool.close(), patient.close(), small.close()])
})

function inPool(code: string, stdin = '', which = patient): Promise<ScriptOutcome> {
  return which.run({ code, stdin, arguments: [], environment: {} }, { accountId: 'account', signal: new AbortController().signal })
}

const time = { kind: 'limit', limit: 'time' }
const memory = { kind: 'limit', limit: 'memory' }
const output = { kind: 'limit', limit: 'output' }

describe('time ends', () => {
  test.each([
    ['an endless loop', `for (;;);`],
    ['an endless loop in a module', `import 'node:fs'; for (;;);`],
    ['a loop that catches', `for (;;) { try { for (;;); } catch {} }`],
    ['a loop in finally', `try { for (;;); } finally { for (;;); }`],
    ['promises that make promises', `const next = () => { Promise.resolve().then(next) }; next()`],
    ['an async loop', `for (;;) await null`],
    ['an async loop that catches', `for (;;) { try { await Promise.reject(1) } catch {} }`],
    ['a generator without end', `for (const x of (function* () { for (;;) yield 1 })());`],
    ['an iterator that is spread', `Math.max(...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }); for (;;);`],
    ['a getter that loops', `console.log('%s', { toString() { for (;;); } })`],
    ['a proxy that loops', `console.log(new Proxy({}, { ownKeys() { for (;;); } }))`],
    ['an error that loops when it is described', `throw new Proxy(new Error(), { getPrototypeOf() { for (;;); } })`],
    ['an exit code that loops', `process.exitCode = { valueOf() { for (;;); } }`],
    ['a regular expression', `/^(a+)+$/.test('a'.repeat(50) + 'b')`],
    ['a regular expression with references', `/^(?:(a|aa)\\1*)+$/.test('a'.repeat(60) + 'b')`],
    ['replacing with a regular expression', `'a'.repeat(50).replace(/(a*)*b/g, '')`],
    ['a sort that never agrees', `for (;;) Array.from({ length: 1e4 }, Math.random).sort(() => Math.random() - 0.5)`],
    ['large numbers', `let x = 3n ** 20000n; for (;;) x = (x * x) % (7n ** 40000n)`],
    ['a large number as text', `for (;;) (3n ** 200000n).toString()`],
    ['a search through a long text', `const s = 'a'.repeat(1e6); for (;;) s.indexOf('a'.repeat(5e5) + 'b')`],
    ['a long sparse list', `for (;;) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)`],
    ['code that makes code', `for (;;) new Function('return 1')()`],
  ])('%s', async (_, code) => {
    expect(await inPool(code, '', pool)).toEqual(time)
  })
})

describe('memory ends', () => {
  test.each([
    ['lists', `const all = []; for (;;) all.push(new Array(1000).fill(1.5))`],
    ['nested objects', `let o = {}; for (;;) o = { o }`],
    ['text in a list', `const all = []; for (let i = 0; ; i++) all.push('x'.repeat(1000) + i)`],
    ['a huge text', `'x'.repeat(2 ** 29).split('')`],
    ['typed arrays', `const all = []; for (;;) all.push(new Uint8Array(1e6))`],
    ['one huge buffer', `new ArrayBuffer(2 ** 30)`],
    ['a buffer that grows', `const b = new ArrayBuffer(0, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30)`],
    ['a map', `const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })`],
    ['promises', `const all = []; for (;;) all.push(new Promise(() => {}))`],
    ['closures', `let f = () => 1; for (;;) { const g = f; f = () => g }`],
    ['what is written to no stream', `let s = 'ab'; const all = []; for (;;) { s += s.slice(0, 1e5); all.push([...s]) }`],
    ['a list that is spread', `Math.max(...new Array(1e8))`],
    ['JSON of a large list', `JSON.stringify(new Array(2 ** 25).fill('xxxx'))`],
    ['an expression with too much to remember', `/(?:a|b)+$/.test('ab'.repeat(2 ** 23))`],
  ])('%s', async (_, code) => {
    expect(await inPool(code, '', small)).toEqual(memory)
  })

  test('a script may catch the error and continue', async () => {
    const code = `try { new ArrayBuffer(2 ** 30) } catch (error) { console.log(error.message) }`
    expect(await inPool(code)).toMatchObject({ code: 0, stdout: expect.stringContaining('out of memory') })
  })

  test('what it may use it can use', async () => {
    expect(await inPool(`console.log(new Uint8Array(50 * 2 ** 20).fill(1).length)`)).toMatchObject({ code: 0, stdout: '52428800\n' })
  })

  test('without room for what every script has, the limit is the reason', async () => {
    expect(await runHere('1', {}, { memoryBytes: 20_000 })).toEqual(memory)
    expect(await runHere('1', { stdin: 'x'.repeat(1_000_000) }, { memoryBytes: 1_000_000 })).toEqual(memory)
  })
})

describe('the stack ends', () => {
  test.each([
    ['calls', `const f = () => f(); f()`],
    ['calls through the language', `function f() { [1].map(f) } f()`],
    ['calls of constructors', `class A { constructor() { new A() } } new A()`],
    ['getters', `const o = { get a() { return this.a } }; o.a`],
    ['proxies', `const p = new Proxy({}, { get: (target, key, receiver) => receiver[key] }); p.a`],
    ['toString', `const o = { toString() { return String(this) } }; String(o)`],
    ['toJSON', `const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)`],
    ['sorting', `const f = () => [2, 1].sort(f); f()`],
    ['replacing', `const f = () => 'a'.replace(/a/, f); f()`],
    ['code in code', `const f = () => eval('f()'); f()`],
    ['generators', `function* g() { yield* g() } g().next()`],
    ['async functions', `const f = async () => { await f() }; await f()`],
    ['nested JSON', `JSON.parse('['.repeat(1e6))`],
    ['nested code', `eval('('.repeat(1e5))`],
    ['nested lists in code', `eval('['.repeat(1e5))`],
    ['nested expressions', `new RegExp('('.repeat(1e5))`],
  ])('%s', async (_, code) => {
    const outcome = await inPool(code)
    expect(outcome).toMatchObject({ kind: 'exited', code: 1, stderr: expect.stringMatching(/stack overflow|too many|SyntaxError/) })
  })

  test.each([
    ['nested objects as JSON', `let o = {}; for (let i = 0; i < 5e4; i++) o = { o }; JSON.stringify(o)`],
    ['functions bound many times', `let f = () => 1; for (let i = 0; i < 5e4; i++) f = f.bind(null); f()`],
    ['a chain of proxies', `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x`],
    ['nested lists that are flattened', `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity)`],
    ['nested objects that are shown', `let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; console.log(o); throw o`],
    ['a chain of causes', `let e = new Error('0'); for (let i = 0; i < 1e4; i++) e = new Error('x', { cause: e }); throw e`],
  ])('and stays contained: %s', async (_, code) => {
    const outcome = await inPool(code)
    expect(outcome.kind === 'exited' || outcome.kind === 'limit').toBe(true)
    expect(await inPool(`console.log('next')`)).toMatchObject({ stdout: 'next\n' })
  })

  test('a script may catch the error and continue', async () => {
    const code = `const f = () => f(); try { f() } catch { console.log('caught') }`
    expect(await inPool(code)).toMatchObject({ code: 0, stdout: 'caught\n' })
  })

  test('calls may be a thousand deep', async () => {
    expect(await inPool(`const f = (n) => n === 0 ? 'deep' : f(n - 1); console.log(f(1000))`)).toMatchObject({ stdout: 'deep\n' })
  })
})

describe('output ends', () => {
  test.each([
    ['lines', `for (;;) console.log('x'.repeat(1000))`],
    ['lines of errors', `for (;;) console.error('x'.repeat(1000))`],
    ['both streams together', `for (;;) { process.stdout.write('x'.repeat(1e5)); process.stderr.write('x'.repeat(1e5)) }`],
    ['one large text', `process.stdout.write('x'.repeat(2 ** 21))`],
    ['one very large text', `process.stdout.write('x'.repeat(2 ** 23))`],
    ['characters of several bytes', `process.stdout.write('é'.repeat(2 ** 19 + 1))`],
    ['an error with a long message', `throw new Error('x'.repeat(2 ** 20))`],
  ])('%s', async (_, code) => {
    expect(await inPool(code)).toEqual(output)
  })

  test('what just fits comes out whole', async () => {
    expect(await inPool(`process.stdout.write('x'.repeat(2 ** 20))`)).toMatchObject({ kind: 'exited', stdout: 'x'.repeat(2 ** 20) })
  })

  test('nothing runs on behind it', async () => {
    const code = `try { for (;;) console.log('x'.repeat(1e6)) } catch {} finally { process.exit(0) }`
    expect(await inPool(code)).toEqual(output)
  })

  test('input goes through whole', async () => {
    const stdin = 'é\0😀'.repeat(50_000)
    expect(await inPool(`import { readFileSync } from 'node:fs'; process.stdout.write(readFileSync(0))`, stdin, patient)).toMatchObject({
      stdout: stdin,
    })
  })
})
