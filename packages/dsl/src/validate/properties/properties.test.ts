/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectSummaries, withLine, wording } from '#src/testing/reports.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

/** One line of a valid definition, the lines that replace it, and the diagnostics of the result as `line:column code /pointer`. */
interface Case {
  readonly definition: string
  readonly line: string
  readonly by: string
  readonly reports: readonly string[]
}

const here = new URL('./', import.meta.url)

/** Valid definitions that use every property, one for each part of the DSL. */
const definitions = new Map(
  readdirSync(new URL('definitions/', here)).map((file) => [
    file.replace('.yaml', ''),
    readFileSync(new URL(`definitions/${file}`, here), 'utf8'),
  ]),
)

const cases = readFileSync(new URL('cases.jsonl', here), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Case => JSON.parse(line))

function changed({ definition, line, by }: Case): string {
  return withLine(definitions.get(definition) ?? '', line, by)
}

test.each([...definitions])('a definition that uses every property of %s is valid', (_name, text) => {
  expectSummaries(text, [])
})

test('each definition has cases', () => {
  expect(new Set(cases.map(({ definition }) => definition))).toEqual(new Set(definitions.keys()))
})

test.each(cases)('in $definition, "$by" in place of "$line" gives $reports', (each) => {
  expectSummaries(changed(each), each.reports)
})

test('the wording of each diagnostic is the recorded one', async () => {
  const lines = cases.flatMap((each) => validateDefinition(changed(each)).diagnostics.map(wording))
  await expect(`${[...new Set(lines)].toSorted().join('\n')}\n`).toMatchFileSnapshot('wording.txt')
})
