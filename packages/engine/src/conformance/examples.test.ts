import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validateDefinition } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import { unsupportedIn, UnsupportedError } from '#compile/unsupported.ts'

// The official examples: each is compiled, or refused with the places of what this engine does not do.

const folder = fileURLToPath(new URL('../../../../../shared/conformance/ows/examples/', import.meta.url))
if (!existsSync(folder)) throw new Error(`the conformance data is not at ${folder}`)

const examples = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .toSorted()
  .flatMap((name) => {
    const { definition } = validateDefinition(readFileSync(join(folder, name), 'utf8'), {})
    return definition === undefined ? [] : [{ name, definition }]
  })
const runnable = examples.filter(({ definition }) => unsupportedIn(definition).length === 0)
const others = examples.filter(({ definition }) => unsupportedIn(definition).length > 0)

test('there are examples of both kinds', () => {
  expect(runnable.length).toBeGreaterThan(20)
  expect(others.length).toBeGreaterThan(10)
})

describe('an example that can be run is compiled', () => {
  test.each(runnable)('$name', ({ definition }) => {
    expect(compileWorkflow(definition).tasks.tasks).toHaveLength(definition.do.length)
  })
})

describe('an example that cannot be run is refused with every place', () => {
  test.each(others)('$name', ({ definition }) => {
    expect(() => compileWorkflow(definition)).toThrow(UnsupportedError)
    for (const { pointer, what } of unsupportedIn(definition)) {
      expect(pointer).toMatch(/^\/(do|use|input|output|evaluate)\//)
      expect(what).not.toBe('')
    }
  })
})
