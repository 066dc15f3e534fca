import { describe, expect, test } from 'vitest'
import { calledFunction, knownNames } from './called-function.ts'

describe('what a call calls', () => {
  const names = knownNames({ functions: { compute: {}, email: {}, http: {}, 'log:1.0.0@shared': {} }, catalogs: { shared: {} } })

  test.each([
    ['http', { kind: 'built-in', name: 'http' }],
    ['mcp', { kind: 'built-in', name: 'mcp' }],
    ['compute', { kind: 'inline', name: 'compute' }],
    ['email', { kind: 'inline', name: 'email' }],
    ['log:1.0.0@shared', { kind: 'inline', name: 'log:1.0.0@shared' }],
    ['log:2.0.0@shared', { kind: 'cataloged', name: 'log', version: '2.0.0', catalog: 'shared' }],
    ['log:2.0.0@nowhere', { kind: 'cataloged', name: 'log', version: '2.0.0', catalog: 'nowhere' }],
    ['approve', { kind: 'default', name: 'approve', version: undefined }],
    ['approve:1.0.0', { kind: 'default', name: 'approve', version: '1.0.0' }],
    ['approve:1.0.0@default', { kind: 'default', name: 'approve', version: '1.0.0' }],
    ['https://example.com/function.yaml', { kind: 'url', url: 'https://example.com/function.yaml' }],
    ['toString', { kind: 'default', name: 'toString', version: undefined }],
    ['', { kind: 'default', name: '', version: undefined }],
  ])('%j is %j', (call, expected) => {
    expect(calledFunction(call, names)).toEqual(expected)
  })

  test('a catalog of the document that is called default takes the place of the installation for what names it', () => {
    const own = knownNames({ catalogs: { default: {} } })
    expect(calledFunction('log:1.0.0@default', own)).toEqual({ kind: 'cataloged', name: 'log', version: '1.0.0', catalog: 'default' })
    expect(calledFunction('log:1.0.0', own)).toEqual({ kind: 'default', name: 'log', version: '1.0.0' })
  })

  test('a function on its own knows no names', () => {
    expect(calledFunction('compute', knownNames(undefined))).toEqual({ kind: 'default', name: 'compute', version: undefined })
  })
})
