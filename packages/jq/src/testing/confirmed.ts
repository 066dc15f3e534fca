import { describe, expect, test } from 'vitest'
import { createOracle } from './oracle.ts'
import { type RecordedMessages, outcomeOf } from './recorded.ts'

/** A guarantee, a program, its input as JSON, and its outputs as JSON; an output `! message` is the error that ends it. */
export type Row = readonly [guarantee: string, program: string, input: string, ...outputs: string[]]

const batchSize = 40

function expected(outputs: readonly string[]): string {
  const items = outputs.map((output) => (output.startsWith('! ') ? `{"e":${JSON.stringify(output.slice(2))}}` : `{"v":${output}}`))
  return `[${items.join(',')}]`
}

/** Registers a test for each row, and one that runs the rows in jq 1.8.2 itself, which confirms what is written here. */
export function confirmedByJq(title: string, rows: readonly Row[]): void {
  // oxlint-disable-next-line vitest/valid-title -- the file that has the rows gives it.
  describe(title, () => {
    test.each(rows)('%s: %s', (_guarantee, program, input, ...outputs) => {
      expect(outcomeOf(program, input)).toBe(expected(outputs))
    })

    test('jq 1.8.2 has the same outputs', async () => {
      const oracle = createOracle()
      const wrong: unknown[] = []
      for (let at = 0; at < rows.length; at += batchSize) {
        const batch = rows.slice(at, at + batchSize)
        const answers = await oracle.answers(batch.map(([, program, input]) => ({ program, input })))
        batch.forEach(([guarantee, program, input, ...outputs], position) => {
          const claimed = expected(outputs)
          if (answers[position] !== claimed) wrong.push({ guarantee, program, input, claimed, jq: answers[position] })
        })
      }
      expect(wrong).toEqual([])
    })
  })
}

/** Registers the same tests for programs that run on a value of each type. */
export function confirmedForEachType(group: string, programs: readonly RecordedMessages[]): void {
  confirmedByJq(
    `${group}: the outcome for null, a boolean, a number, a string, an array and an object`,
    programs.map(({ program, outcomes }) => [
      program,
      `.[] | try [${program}] catch .`,
      '[null,true,-1.5,"ab",[1,"a"],{"a":1}]',
      ...outcomes,
    ]),
  )
}
