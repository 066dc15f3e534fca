import { describe, expect, test } from 'vitest'
import { outputOf, runHere } from './testing-sandbox.ts'

const exited = { kind: 'exited', code: 0, stdout: '', stderr: '' }

describe('console', () => {
  test.each([
    ['log', 'stdout'],
    ['info', 'stdout'],
    ['debug', 'stdout'],
    ['warn', 'stderr'],
    ['error', 'stderr'],
  ])('%s writes a line to %s', async (method, stream) => {
    expect(await runHere(`console.${method}('a', 1)`)).toEqual({ ...exited, [stream]: 'a 1\n' })
  })

  test.each([
    [`console.log()`, '\n'],
    [`console.log('%s is %d', 'x', 1)`, 'x is 1\n'],
    [`console.log('100%')`, '100%\n'],
    [`console.log('a', 'b', 'c%s')`, 'a b c%s\n'],
    [`console.log('%s', 'b')`, 'b\n'],
    [`console.log({ a: [1, { b: 2 }] })`, '{ a: [ 1, { b: 2 } ] }\n'],
    [`console.log(new Map([['a', 1]]), new Set([1]))`, "Map(1) { 'a' => 1 } Set(1) { 1 }\n"],
    [`console.log([1, , 3], null, undefined, -0, 1n, Symbol('s'))`, '[ 1, <1 empty item>, 3 ] null undefined -0 1n Symbol(s)\n'],
    [
      `console.log(class A extends Map {}, () => 1, async function f() {})`,
      '[class A extends Map] [Function (anonymous)] [AsyncFunction: f]\n',
    ],
    [`console.log(new Date(0), /x/g, new Uint8Array(2))`, '1970-01-01T00:00:00.000Z /x/g Uint8Array(2) [ 0, 0 ]\n'],
    [`const a = {}; a.a = a; console.log(a)`, '<ref *1> { a: [Circular *1] }\n'],
    [`console.dir({ a: 1 })`, '{ a: 1 }\n'],
    [`console.assert(true, 'never')`, ''],
    [`console.log(Object.keys(console).length > 5, String(console))`, 'true [object Object]\n'],
  ])('%s', async (code, written) => {
    expect(await outputOf(code)).toBe(written)
  })

  test('a failed assertion is an error', async () => {
    expect(await runHere(`console.assert(false, 'no'); console.assert(0)`)).toMatchObject({
      stderr: 'Assertion failed: no\nAssertion failed\n',
    })
  })

  test('an error is shown with its stack, which leads into the script alone', async () => {
    const stdout = await outputOf(`function f() { return new TypeError('bad') }\nconsole.log(f())`)
    expect(stdout).toMatch(/^TypeError: bad\n {4}at f \(script\.js:1:\d+\)\n {4}at <eval> \(script\.js:2:\d+\)\n$/)
  })

  test('every character comes through as it is, a lone surrogate as what it cannot be', async () => {
    expect(await outputOf(String.raw`process.stdout.write('a\0b\u2028é😀\ud800\r\n')`)).toBe('a\0b\u2028é😀\ufffd\r\n')
  })
})

describe('process', () => {
  test('has the arguments behind two entries of its own', async () => {
    const code = `const [_, __, ...rest] = process.argv; console.log(process.argv.length, rest)`
    expect(await outputOf(code, { arguments: ['one', 'two'] })).toBe("4 [ 'one', 'two' ]\n")
  })

  test('has the environment that is given, and no other', async () => {
    expect(await outputOf(`console.log(process.env)`, { environment: { foo: 'bar' } })).toBe("{ foo: 'bar' }\n")
    expect(await outputOf(`console.log(process.env, process.env.PATH)`)).toBe('{} undefined\n')
  })

  test('an environment variable with a name that means something to JavaScript is a variable', async () => {
    const environment = { constructor: 'a', ['toString']: 'b' }
    expect(await outputOf(`console.log(process.env.constructor, process.env.toString)`, { environment })).toBe('a b\n')
  })

  test.each([
    ['process.exit()', 0],
    ['process.exit(0)', 0],
    ['process.exit(3)', 3],
    ['process.exit("4")', 4],
    ['process.exit(256 + 5)', 5],
    ['process.exit(-1)', 255],
    ['process.exit(1.5)', 1],
    ['process.exit("none")', 1],
    ['process.exitCode = 6', 6],
    ['process.exitCode = 6; process.exit()', 6],
    ['process.exitCode = 6; process.exit(7)', 7],
    ['process.exitCode = "none"', 1],
  ])('%s ends with status %i', async (code, status) => {
    expect(await runHere(code)).toEqual({ ...exited, code: status })
  })

  test.each([
    ['a statement', `process.exit(2); console.log('more')`],
    ['a finally', `try { process.exit(2) } finally { console.log('more') }`],
    ['a catch', `try { process.exit(2) } catch { console.log('more') }`],
    ['a then', `(async () => process.exit(2))().then(() => console.log('more'), () => console.log('more'))`],
    ['a catch around await', `try { await (async () => process.exit(2))() } catch { console.log('more') }`],
    ['a promise that was ready before', `Promise.resolve().then(() => console.log('more')); process.exit(2)`],
    ['a getter', `console.log('more', { get a() { process.exit(2) } }.a)`],
    [
      'an iterator that is closed',
      `for (const x of { *[Symbol.iterator]() { try { yield 1 } finally { console.log('more') } } }) process.exit(2)`,
    ],
    ['another exit', `try { process.exit(2) } finally { process.exit(3) }`],
  ])('behind exit nothing runs: %s', async (_, code) => {
    expect(await runHere(code)).toEqual({ ...exited, code: 2 })
  })

  test('what was written before exit is kept', async () => {
    const outcome = await runHere(`process.stdout.write('out'); process.stderr.write('err'); process.exit(2)`)
    expect(outcome).toEqual({ kind: 'exited', code: 2, stdout: 'out', stderr: 'err' })
  })

  test('writes text and nothing else', async () => {
    expect(await outputOf(`console.log(process.stdout.write('a'), process.stdout.fd, process.stderr.fd)`)).toBe('atrue 1 2\n')
    expect(await runHere(`process.stdout.write(1)`)).toMatchObject({ code: 1, stderr: expect.stringContaining('must be of type string') })
  })
})

describe('standard input', () => {
  const given = { stdin: 'one\ntwo é😀\0' }

  test.each([
    ['its descriptor', `import { readFileSync } from 'node:fs'; process.stdout.write(readFileSync(process.stdin.fd, 'utf8'))`],
    ['the number 0', `import { readFileSync } from 'fs'; process.stdout.write(readFileSync(0, 'utf-8'))`],
    ['its path', `import fs from 'node:fs'; process.stdout.write(fs.readFileSync('/dev/stdin', { encoding: 'utf8' }))`],
    ['no encoding', `import * as fs from 'node:fs'; process.stdout.write(fs.readFileSync(0).toString())`],
    ['import()', `const { readFileSync } = await import('node:fs'); process.stdout.write(readFileSync(0))`],
    ['getBuiltinModule', `process.stdout.write(process.getBuiltinModule('node:fs').readFileSync(0))`],
    ['a loop', `let all = ''; for await (const part of process.stdin) all += part; process.stdout.write(all)`],
    ['a loop with an encoding', `for await (const part of process.stdin.setEncoding('utf8')) process.stdout.write(part)`],
  ])('is read by %s', async (_, code) => {
    expect(await outputOf(code, given)).toBe(given.stdin)
  })

  test('is empty when none is given', async () => {
    expect(await outputOf(`import { readFileSync } from 'node:fs'; console.log([readFileSync(0)])`)).toBe("[ '' ]\n")
    expect(await outputOf(`for await (const part of process.stdin) console.log('never')`)).toBe('')
  })

  test.each([
    `'/etc/passwd'`,
    `'script.js'`,
    `''`,
    `1`,
    `3`,
    `'/proc/self/environ'`,
    `new String('/dev/stdin')`,
    `'/dev/../dev/stdin'`,
    `undefined`,
  ])('is the only file there is: %s', async (path) => {
    const outcome = await runHere(`import { readFileSync } from 'node:fs'; readFileSync(${path})`)
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('no file but its standard input') })
  })

  test('has no encoding but utf8', async () => {
    const outcome = await runHere(`import { readFileSync } from 'node:fs'; readFileSync(0, 'latin1')`)
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('in no other encoding') })
  })
})

describe('a script is', () => {
  test.each([
    ['classic: not strict', `x = 1; with ({ y: 2 }) console.log(x, y, this === globalThis)`, '1 2 true\n'],
    ['classic with await', `const x = await Promise.resolve(1); console.log(x)`, '1\n'],
    ['classic with await before a bracket', `await (async () => console.log('in'))()`, 'in\n'],
    ['classic with a comment at its top', `#!/usr/bin/env node\nconsole.log(1)`, '1\n'],
    ['a module with import', `import { argv } from 'node:process'; console.log(argv.length, this)`, '2 undefined\n'],
    ['a module with export', `export const a = 1; console.log(a)`, '1\n'],
    ['a module with await', `import 'node:fs'; console.log(await 1)`, '1\n'],
    ['empty', ``, ''],
    ['a comment', `// nothing`, ''],
  ])('%s', async (_, code, written) => {
    expect(await outputOf(code)).toBe(written)
  })

  test.each([
    ['Object.groupBy', `console.log(Object.groupBy([1, 2, 3], (x) => x % 2 ? 'odd' : 'even').odd)`, '[ 1, 3 ]\n'],
    ['Promise.withResolvers', `const { promise, resolve } = Promise.withResolvers(); resolve(1); console.log(await promise)`, '1\n'],
    ['set notation in expressions', String.raw`console.log(/^[\p{L}--[a-z]]$/v.test('É'), /^[\p{L}--[a-z]]$/v.test('a'))`, 'true false\n'],
    ['buffers that grow', `const b = new ArrayBuffer(1, { maxByteLength: 4 }); b.resize(4); console.log(b.byteLength)`, '4\n'],
    ['buffers that move', `console.log(new ArrayBuffer(3).transfer().byteLength)`, '3\n'],
    ['well-formed text', String.raw`console.log('\ud800'.isWellFormed())`, 'false\n'],
    ['private members', `class A { #a = 1; static has(x) { return #a in x } } console.log(A.has(new A()))`, 'true\n'],
    ['Array.prototype.toSorted', `console.log([3, 1, 2].toSorted(), [1, 2].at(-1))`, '[ 1, 2, 3 ] 2\n'],
    ['async generators', `async function* g() { yield 1; yield 2 } for await (const x of g()) console.log(x)`, '1\n2\n'],
    ['queueMicrotask', `queueMicrotask(() => console.log(2)); console.log(1)`, '1\n2\n'],
  ])('of ES2024: %s', async (_, code, written) => {
    expect(await outputOf(code)).toBe(written)
  })

  test('without timers: a workflow waits, a script does not', async () => {
    expect(await outputOf(`console.log(typeof setTimeout, typeof setInterval, typeof setImmediate)`)).toBe(
      'undefined undefined undefined\n',
    )
  })

  test('given the date and chance', async () => {
    const before = Date.now()
    const shown = Number(await outputOf(`const a = Math.random(); process.stdout.write(a >= 0 && a < 1 ? String(Date.now()) : 'no')`))
    expect(shown).toBeGreaterThanOrEqual(before)
    expect(shown).toBeLessThanOrEqual(Date.now())
  })
})

describe('an uncaught error ends a script with status 1', () => {
  test.each([
    ['thrown', `throw new TypeError('bad')`, /^Uncaught TypeError: bad\n {4}at <eval> \(script\.js:1:\d+\)\n$/],
    ['thrown in a module', `import 'node:fs'\nthrow new TypeError('bad')`, /^Uncaught TypeError: bad\n {4}at .*\(script\.js:2:\d+\)\n$/],
    ['thrown after await', `await 1; throw new Error('late')`, /^Uncaught Error: late\n/],
    ['thrown after await in a module', `import 'node:fs'; await 1; throw new Error('late')`, /^Uncaught Error: late\n/],
    ['in main()', `async function main() { await 1; throw new Error('in main') }\nmain()`, /^Uncaught Error: in main\n/],
    ['in a rejected last value', `Promise.reject(new Error('last'))`, /^Uncaught Error: last\n/],
    ['of an own class', `class Odd extends Error { name = 'Odd' }; throw new Odd('own')`, /^Uncaught Odd: own\n/],
    ['with a cause', `throw new Error('top', { cause: new Error('deep') })`, /^Uncaught Error: top\n[^]*\[cause\]: Error: deep\n/],
    ['that is a text', `throw 'text'`, /^Uncaught 'text'\n$/],
    ['that is null', `throw null`, /^Uncaught null\n$/],
    ['that is undefined', `throw undefined`, /^Uncaught undefined\n$/],
    ['that is an object', `throw { code: 1 }`, /^Uncaught \{ code: 1 \}\n$/],
    ['that throws when it is looked at', `throw new Proxy({}, { ownKeys() { throw 1 } })`, /cannot be described/],
    ['of syntax', `const = 1`, /^Uncaught SyntaxError: [^]*script\.js:1/],
    ['of syntax in a module', `import 'node:fs'\nlet a = ;`, /^Uncaught SyntaxError: [^]*script\.js:2/],
    ['of a name', `nothing()`, /^Uncaught ReferenceError: 'nothing' is not defined\n|nothing is not defined/],
    ['of depth', `const f = () => f(); f()`, /^Uncaught InternalError: stack overflow\n/],
  ])('%s', async (_, code, stderr) => {
    const outcome = await runHere(code)
    expect(outcome).toMatchObject({ kind: 'exited', code: 1, stderr: expect.stringMatching(stderr) })
  })

  test('what it wrote before is kept', async () => {
    expect(await runHere(`console.log('before'); throw 1`)).toMatchObject({ stdout: 'before\n', stderr: 'Uncaught 1\n' })
  })

  test('a handled rejection is not an error', async () => {
    expect(await outputOf(`await Promise.reject(1).catch(() => console.log('handled'))`)).toBe('handled\n')
  })
})

test('a script that waits for what never comes ends with status 13, as in Node', async () => {
  const unsettled = { ...exited, code: 13, stderr: 'Warning: Detected unsettled top-level await\n' }
  expect(await runHere(`await new Promise(() => {})`)).toEqual(unsettled)
  expect(await runHere(`import 'node:fs'; await new Promise(() => {})`)).toEqual(unsettled)
})

test('a pending promise does not keep a script running', async () => {
  expect(await runHere(`new Promise(() => {})`)).toEqual(exited)
})
