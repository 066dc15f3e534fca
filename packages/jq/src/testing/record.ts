import { writeFileSync } from 'node:fs'
import { compile } from '#src/index.ts'
import { stringify } from '#src/values/json-text.ts'
import { createOracle, observed } from './oracle.ts'
import { recordings } from './recordings.ts'

/** Asks jq 1.8.2 about every recording and writes the tests: `node packages/jq/src/testing/record.ts`. */
const linesPerFile = 300
const oracle = createOracle()

function ours(program: string, input: string): string {
  try {
    return stringify(compile(observed(program)).first(JSON.parse(input)) ?? null)
  } catch (error) {
    return String(error)
  }
}

for (const { name, title, cases } of recordings) {
  const lines: string[] = []
  for (let at = 0; at < cases.length; at += 40) {
    const batch = cases.slice(at, at + 40)
    const answers = await oracle.answers(batch)
    batch.forEach(({ program, input }, position) => {
      const theirs = answers[position]
      if (theirs === undefined) return
      if (theirs === ours(program, input)) lines.push(`${program} @@ ${input} => ${theirs}`)
      else process.stdout.write(`DIFFERS ${program} @@ ${input}\n  jq:   ${theirs}\n  here: ${ours(program, input)}\n`)
    })
  }
  for (let part = 0; part * linesPerFile < lines.length; part++) {
    const text = lines.slice(part * linesPerFile, (part + 1) * linesPerFile).join('\n')
    const body = [
      "import { expect, test } from 'vitest'",
      "import { deviations } from '#src/testing/recorded.ts'",
      '',
      `// Recorded from jq 1.8.2 by testing/record.ts.`,
      `test('${title}, part ${part + 1}', () => {`,
      '  const cases = String.raw`',
      text,
      '`',
      '  expect(deviations(cases)).toEqual([])',
      '})',
      '',
    ].join('\n')
    writeFileSync(new URL(`../recorded/${name}-${part + 1}.test.ts`, import.meta.url), body)
  }
}
