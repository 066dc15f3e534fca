import { describe, expect, test } from 'vitest'
import { compile } from '#src/index.ts'
import { stringify } from '#src/values/json-text.ts'
import { createOracle, observed } from './oracle.ts'

/** A guarantee, a program, its input as JSON, and its outputs as JSON; an output `! message` is the error that ends it. */
export type Row = readonly [guarantee: string, program: string, input: string, ...outputs: string[]]

/** A program, and what it makes of null, true, -1.5, "ab", [1,"a"] and {"a":1}: an array of its outputs, or the message of its error. */
export type RowOfTypes = readonly [
  program: string,
  ofNull: string,
  ofBoolean: string,
  ofNumber: string,
  ofText: string,
  ofArray: string,
  ofObject: string,
]

const batchSize = 40

function expected(outputs: readonly string[]): string {
  const items = outputs.map((output) => (output.startsWith('! ') ? `{"e":${JSON.stringify(output.slice(2))}}` : `{"v":${output}}`))
  return `[${items.join(',')}]`
}

/** Registers a test for each row, and one that asks jq 1.8.2 itself, so that what is written here is known to be right. */
export function proven(title: string, rows: readonly Row[]): void {
  // oxlint-disable-next-line vitest/valid-title -- the file that has the rows gives it.
  describe(title, () => {
    test.each(rows)('%s: %s', (_guarantee, program, input, ...outputs) => {
      const made = stringify(compile(observed(program)).first(JSON.parse(input)) ?? null)
      expect(made).toBe(expected(outputs))
    })

    test('jq 1.8.2 says so too', async () => {
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
    }, 60_000)
  })
}

/** The same for what programs say to a value of each type; outputs and messages are JSON. */
export function provenOfEachType(title: string, rows: readonly RowOfTypes[]): void {
  proven(
    `${title}: what each program says to null, a boolean, a number, a text, an array and an object`,
    rows.map(([program, ...outputs]) => [program, `.[] | try [${program}] catch .`, '[null,true,-1.5,"ab",[1,"a"],{"a":1}]', ...outputs]),
  )
}
