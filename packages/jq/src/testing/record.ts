import { writeFileSync } from 'node:fs'
import { createOracle } from './oracle.ts'
import { type RecordedCase, outcomeOf, recordedCases } from './recorded.ts'
import { recordings } from './recordings.ts'

/**
 * Runs every recording in jq 1.8.2 and writes the outcomes to recorded/cases.jsonl: `node packages/jq/src/testing/record.ts`.
 *
 * A case whose outcome differs in this package is printed and not written: it is either a defect, or a difference that the README explains.
 */
const casesPerCall = 40
const oracle = createOracle()

function ownOutcome(program: string, input: string): string {
  try {
    return outcomeOf(program, input)
  } catch (error) {
    return String(error)
  }
}

const recorded: RecordedCase[] = []
for (const { name, cases } of recordings) {
  for (let at = 0; at < cases.length; at += casesPerCall) {
    const batch = cases.slice(at, at + casesPerCall)
    const outcomes = await oracle.answers(batch)
    batch.forEach(({ program, input }, position) => {
      const outcome = outcomes[position]
      if (outcome === undefined) return
      const own = ownOutcome(program, input)
      if (outcome === own) recorded.push({ group: name, program, input, outcome })
      else process.stdout.write(`DIFFERS ${program} @@ ${input}\n  jq:   ${outcome}\n  here: ${own}\n`)
    })
  }
}
writeFileSync(recordedCases, recorded.map((recordedCase) => `${JSON.stringify(recordedCase)}\n`).join(''))
