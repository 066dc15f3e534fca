import { expect, test } from 'vitest'
import { loadModule } from './guest.ts'

test.each(['fs', 'node:fs', 'process', 'node:process'])('%s is a module', (name) => {
  expect(loadModule(name)).toEqual(expect.any(String))
})

test.each(['', 'node:', 'os', 'node:os', 'fs/promises', 'node:node:fs', 'constructor', '__proto__', 'FS', '/dev/stdin'])(
  '%j is not a module',
  (name) => {
    expect(loadModule(name)).toMatchObject({ error: { message: expect.stringContaining(`Cannot find module '${name}'`) } })
  },
)
