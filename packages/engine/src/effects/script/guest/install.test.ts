import { describe, expect, test } from 'vitest'
import { createConsole, createFiles, createProcess } from './install.ts'

const input = { stdin: 'in', arguments: ['one'], environment: { A: 'b' } }
const formatting = { inspect: (value: unknown) => `<${String(value)}>`, format: (values: readonly unknown[]) => values.join('+') }

function consoleWith(): { readonly console: object; readonly written: unknown[] } {
  const written: unknown[] = []
  return { console: createConsole((descriptor, text) => written.push([descriptor, text]), formatting), written }
}

function processWith(): object {
  return createProcess({ write: () => true, exit: () => {} }, () => {}, input)
}

function callOf(target: object, name: string, ...values: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(target, name)
  return typeof method === 'function' ? Reflect.apply(method, target, values) : undefined
}

describe('console', () => {
  test.each([
    ['log', 1],
    ['info', 1],
    ['debug', 1],
    ['warn', 2],
    ['error', 2],
  ])('%s writes a line to descriptor %i', (method, descriptor) => {
    const { console, written } = consoleWith()
    callOf(console, method, 'a', 1)
    expect(written).toEqual([[descriptor, 'a+1\n']])
  })

  test('a text alone is written as it is, without the formatter', () => {
    const { console, written } = consoleWith()
    callOf(console, 'log', '100%')
    expect(written).toEqual([[1, '100%\n']])
  })

  test('dir shows a value', () => {
    const { console, written } = consoleWith()
    callOf(console, 'dir', 5)
    expect(written).toEqual([[1, '<5>\n']])
  })
})

describe('process', () => {
  test('has arguments and environment', () => {
    expect(processWith()).toMatchObject({ argv: ['node', 'script.js', 'one'], env: { A: 'b' }, exitCode: undefined })
  })

  test('has streams with the descriptors of Node', () => {
    expect(processWith()).toMatchObject({ stdin: { fd: 0 }, stdout: { fd: 1 }, stderr: { fd: 2 } })
  })

  test('gives the modules that there are, and no others', () => {
    const process = processWith()
    expect(callOf(process, 'getBuiltinModule', 'node:process')).toBe(process)
    expect(callOf(process, 'getBuiltinModule', 'node:fs')).toEqual({ readFileSync: expect.any(Function) })
    expect(callOf(process, 'getBuiltinModule', 'node:os')).toBeUndefined()
  })
})

describe('readFileSync', () => {
  test.each([
    [0, 'utf8'],
    [0, undefined],
    [0, null],
    [0, {}],
    ['/dev/stdin', { encoding: 'UTF-8' }],
  ])('of %j as %j is standard input', (path, options) => {
    expect(callOf(createFiles('in'), 'readFileSync', path, options)).toBe('in')
  })

  test.each([
    [1, 'utf8'],
    ['/etc/passwd', 'utf8'],
    [0, 'latin1'],
    [0, { encoding: 'base64' }],
    [0, 5],
  ])('of %j as %j is refused', (path, options) => {
    expect(() => callOf(createFiles('in'), 'readFileSync', path, options)).toThrow(/standard input/)
  })
})
