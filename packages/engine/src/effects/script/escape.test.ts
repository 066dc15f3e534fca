import { describe, expect, test } from 'vitest'
import { outputOf, runHere } from './testing-sandbox.ts'

/** Names that a program of Node, a worker or a browser finds, and a script must not. */
const hostNames = [
  'require',
  'module',
  'exports',
  '__dirname',
  '__filename',
  'global',
  'Buffer',
  'fetch',
  'WebSocket',
  'XMLHttpRequest',
  'Worker',
  'parentPort',
  'workerData',
  'postMessage',
  'MessageChannel',
  'BroadcastChannel',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'performance',
  'crypto',
  'navigator',
  'localStorage',
  'structuredClone',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'std',
  'os',
  'bjson',
  'scriptArgs',
  'print',
  'load',
  'Deno',
  'Bun',
  'write',
  'exit',
  'install',
  'host',
]

describe('a script finds nothing of its host', () => {
  test.each(hostNames)('%s', async (name) => {
    expect(await outputOf(`console.log(typeof ${name}, '${name}' in globalThis)`)).toBe('undefined false\n')
  })

  test('and nothing by an unknown name: its globals are those of the language, and three of ours', async () => {
    const code = `console.log(JSON.stringify(Object.getOwnPropertyNames(globalThis)))`
    const names: unknown = JSON.parse(await outputOf(code))
    const isOfTheLanguage = (name: string) =>
      name in globalThis && /^(?:[A-Z]|eval|is|parse|decode|encode|escape|unescape|undefined|globalThis)/.test(name)
    const own = (Array.isArray(names) ? names : []).filter((name) => !isOfTheLanguage(String(name)))
    expect(new Set(own)).toEqual(new Set(['InternalError', 'console', 'process', 'queueMicrotask']))
  })

  test('process is no more than what it has to be', async () => {
    const code = `console.log(JSON.stringify(Object.keys(process)), Object.getPrototypeOf(process) === Object.prototype)`
    const keys = '["argv","env","exitCode","exit","stdin","stdout","stderr","getBuiltinModule"]'
    expect(await outputOf(code)).toBe(`${keys} true\n`)
  })

  test.each(['binding', 'mainModule', 'dlopen', 'kill', 'chdir', 'cwd', 'pid', 'memoryUsage', 'constructor.mainModule'])(
    'process.%s',
    async (path) => {
      expect(await outputOf(`console.log(process.${path})`)).toBe('undefined\n')
    },
  )
})

describe('constructors lead to the sandbox again', () => {
  const probes = [
    `(() => {}).constructor('return globalThis')()`,
    `[].constructor.constructor('return globalThis')()`,
    `console.log.constructor('return globalThis')()`,
    `process.exit.constructor('return globalThis')()`,
    `process.constructor.constructor('return globalThis')()`,
    `process.env.constructor.constructor('return globalThis')()`,
    `process.argv.constructor.constructor('return globalThis')()`,
    `process.stdout.write.constructor('return globalThis')()`,
    `process.stdin[Symbol.asyncIterator].constructor.constructor('return globalThis')()`,
    `process.getBuiltinModule('fs').readFileSync.constructor('return globalThis')()`,
    `Object.getPrototypeOf(async function () {}).constructor('return globalThis')()`,
    `Object.getPrototypeOf(function* () {}).constructor('yield globalThis')().next().value`,
    `(0, eval)('globalThis')`,
    `new Function('return this')()`,
    `Reflect.construct(Function, ['return globalThis'], class {})()`,
    `(function () { return this })()`,
    `(await import('node:fs')).readFileSync.constructor('return globalThis')()`,
    `(() => { try { null.x } catch (error) { return error.constructor.constructor('return globalThis')() } })()`,
    `(() => { try { process.stdout.write(1) } catch (error) { return error.constructor.constructor('return globalThis')() } })()`,
    `await import('node:os').catch((error) => error.constructor.constructor('return globalThis')())`,
  ]

  test.each(probes)('%s', async (probe) => {
    const found = `const found = await (${probe})`
    const code = `${found}; const it = found ?? {}; console.log(it === globalThis, typeof it.require, typeof it.process?.binding, typeof it.process?.mainModule)`
    expect(await outputOf(code)).toBe('true undefined undefined undefined\n')
  })

  test('what a probe finds by an async function is the sandbox too', async () => {
    const code = `console.log(await Object.getPrototypeOf(async () => {}).constructor('return this === globalThis && typeof require')())`
    expect(await outputOf(code)).toBe('undefined\n')
  })
})

describe('modules of the host cannot be imported', () => {
  const names = [
    'node:os',
    'node:child_process',
    'node:worker_threads',
    'node:vm',
    'node:net',
    'node:fs/promises',
    'fs/promises',
    'node:module',
    'os',
    'std',
    'qjs:os',
    'qjs:std',
    'bjson',
    'constructor',
    '__proto__',
    'toString',
    'node:node:fs',
    './x.js',
    '/etc/passwd',
    'file:///etc/passwd',
    'data:text/javascript,export default 1',
    'http://127.0.0.1/x.js',
    'quickjs-emscripten-core',
    '#core/error.ts',
    '',
  ]

  test.each(names)('import %j', async (name) => {
    const outcome = await runHere(`import * as it from ${JSON.stringify(name)}; console.log(it)`)
    expect(outcome).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('a script can import node:fs and node:process alone'),
    })
  })

  test.each(names)('import(%j)', async (name) => {
    expect(await outputOf(`await import(${JSON.stringify(name)}).catch(() => console.log('refused'))`)).toBe('refused\n')
  })

  test.each(['os', 'node:vm', 'constructor', '__proto__', 'fs/promises'])('getBuiltinModule(%j)', async (name) => {
    expect(await outputOf(`console.log(process.getBuiltinModule(${JSON.stringify(name)}))`)).toBe('undefined\n')
  })

  test('import with attributes brings nothing either', async () => {
    const code = `await import('/etc/passwd', { with: { type: 'json' } }).catch(() => console.log('refused'))`
    expect(await outputOf(code)).toBe('refused\n')
  })

  test('import.meta reveals nothing of this machine', async () => {
    expect(await outputOf(`import 'node:fs'; console.log(JSON.stringify(import.meta))`)).not.toContain('/work')
  })
})

describe('only text leaves, whatever a script does to the language', () => {
  const tampering = [
    `JSON.stringify = () => ({ toString() { throw 1 } })`,
    `JSON.parse = () => { throw 1 }`,
    `String = () => { throw 1 }`,
    `Array.prototype.map = () => { throw 1 }; Array.prototype.join = () => { throw 1 }`,
    `Promise.prototype.then = () => { throw 1 }`,
    `Object.defineProperty(Object.prototype, 'then', { get() { throw 1 }, configurable: true })`,
    `Object.prototype.value = 'polluted'`,
    `Object.prototype.error = 'polluted'`,
    `Object.prototype.toJSON = () => 'polluted'`,
    `Function.prototype.call = Function.prototype.apply = () => { throw 1 }`,
    `Symbol.prototype[Symbol.toPrimitive] = 1`,
    `globalThis.eval = () => { throw 1 }`,
    `globalThis.console = console; globalThis.process = undefined`,
    `Object.freeze(Object.prototype); Object.freeze(Array.prototype)`,
  ]

  test.each(tampering)('%s', async (code) => {
    expect(await runHere(`${code};\nconsole.log('still here')`)).toMatchObject({ kind: 'exited', stdout: 'still here\n' })
  })

  test.each([
    [`String.prototype.toJSON = () => 'polluted'`],
    [`String.prototype.toJSON = () => { throw 1 }`],
    [`Object.defineProperty(String.prototype, 'length', { get: () => 1e9 })`],
    [`String.prototype.valueOf = String.prototype.toString = () => 'polluted'`],
  ])('text leaves as it is: %s', async (code) => {
    expect(await runHere(`${code}; console.log('text')`)).toMatchObject({ kind: 'exited', stdout: 'text\n' })
  })

  test.each([
    ['a proxy', `console.log(new Proxy({}, { get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') } }))`],
    ['a getter of a tag', `console.log({ get [Symbol.toStringTag]() { throw new Error('trap') } })`],
    ['toString', `console.log('%s', { toString() { throw new Error('trap') } })`],
  ])('an object that throws when it is shown throws in the script: %s', async (_, code) => {
    expect(await outputOf(`try { ${code} } catch (error) { console.log('caught', error.message) }`)).toMatch(/caught trap|\{/)
  })

  test('an exit code that is an object is ignored', async () => {
    const code = `process.exitCode = { valueOf() { throw new Error('trap') } }`
    expect(await runHere(code)).toEqual({ kind: 'exited', code: 1, stdout: '', stderr: '' })
  })

  test('an error that changes when it is looked at is described as it is then', async () => {
    const code = `throw { get a() { process.exit(0) }, toString() { process.exit(0) } }`
    expect(await runHere(code)).toMatchObject({ kind: 'exited', code: 1 })
  })

  test('stacks contain only the script', async () => {
    const { stderr } = { stderr: '', ...(await runHere(`console.log(new Proxy({}, { ownKeys() { throw new Error('inside') } }))`)) }
    expect(stderr).toContain('inside')
    expect(stderr).not.toMatch(/node_modules|packages|\.ts\b|file:/)
  })
})

describe('a run leaves nothing to the next', () => {
  const traces = [
    [`Object.prototype.polluted = 1`, `({}).polluted`],
    [`Array.prototype.push = () => 'polluted'`, `[].push(1) === 'polluted' || undefined`],
    [`globalThis.left = 1`, `globalThis.left`],
    [`var left = 1; let alsoLeft = 2`, `typeof left === 'undefined' && typeof alsoLeft === 'undefined' ? undefined : 1`],
    [`process.env.LEFT = 'x'; process.argv.push('x')`, `process.env.LEFT ?? process.argv[2]`],
    [`console.log = () => {}`, `undefined`],
    [`Symbol.for('left').description`, `Object.getOwnPropertySymbols(globalThis).find((one) => one === Symbol.for('left'))`],
    [`(await import('node:fs')).default.readFileSync = () => 'polluted'`, `(await import('node:fs')).readFileSync(0) || undefined`],
    [`JSON.parse = () => ({ polluted: 1 })`, `JSON.parse('{}').polluted`],
  ] as const

  test.each(traces)('%s', async (first, second) => {
    await outputOf(first)
    expect(await outputOf(`console.log(${second})`)).toBe('undefined\n')
  })

  test('nor does it to the host', async () => {
    await outputOf(`Object.prototype.polluted = 1; Function.prototype.polluted = 1; Promise.prototype.then = null; globalThis.polluted = 1`)
    expect([Reflect.get({}, 'polluted'), Reflect.get(globalThis, 'polluted')]).toEqual([undefined, undefined])
    expect(await Promise.resolve(1)).toBe(1)
  })
})
