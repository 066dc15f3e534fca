import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { compile, JqLimitError, type Json } from '#src/index.ts'
import { runCopying } from '#src/testing/copying.ts'
import { foldPrograms } from '#src/testing/generate-fold.ts'
import { observed } from '#src/testing/oracle.ts'
import { stringify } from '#src/values/json-text.ts'
import type { Value } from '#src/values/value.ts'

const inputs = fc.constantFrom<Json>(null, [], {}, [1, [2], { a: [3] }], { a: [1, 2], b: { a: { b: 5 } } }, { a: { b: { a: [1] } } }, [
  ['x'],
  ['y'],
])

function frozen(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part)
    Object.freeze(value)
  }
  return value
}

/** A value that contains shared parts many times is too long to be printed in full. */
const printedMax = 20_000

/**
 * Outputs and errors as text, written after the run: a change of a value that was emitted earlier shows. `undefined` at a
 * limit.
 */
function outcome(run: () => readonly Value[]): string | undefined {
  try {
    return run()
      .map((output) => stringify(output, printedMax))
      .join('\n')
  } catch (error) {
    if (error instanceof JqLimitError) return undefined
    throw error
  }
}

/** `npm run test:deep` compares more. */
const numRuns = inject('deep') ? 12_000 : 3_000
const limits = { steps: 5_000, size: 50_000 }

test(`a fold that changes its state in place gives what a fold that copies gives, on ${numRuns} generated folds`, () => {
  const seed = Number(process.env['JQ_SEED'] ?? 182)
  const property = fc.property(foldPrograms, inputs, (program, given) => {
    const input = frozen(structuredClone(given))
    const source = observed(program)
    const ours = outcome(() => compile(source, { limits }).run(input))
    const plain = outcome(() => runCopying(source, input, limits))
    // Copying costs more, so one of the two can reach a limit first.
    return ours === undefined || plain === undefined || ours === plain
  })
  expect(fc.check(property, { numRuns, seed }).counterexample).toBeNull()
})
