import { hostileDocuments } from '#src/testing/hostile-documents.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

/** Milliseconds of processor that reading and validating takes, in the best of three runs: others may be using the machine. */
function milliseconds(text: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    validateDefinition(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

/** What a document of each size may cost: the server reads the small ones in between requests. */
const sizes = [
  { what: '8 KiB', length: 8192, limitMs: 10 },
  { what: '1 MiB', length: 1_048_576, limitMs: 1000 },
]

for (const { what, length, limitMs } of sizes) {
  for (const make of Object.values(hostileDocuments)) validateDefinition(make(8192))
  const rows = Object.entries(hostileDocuments).map(([name, make]) => ({ name, ms: milliseconds(make(length)) }))
  const slowest = rows.toSorted((one, other) => other.ms - one.ms).slice(0, 5)
  process.stdout.write(
    `${what}, at most ${limitMs} ms\n${slowest.map(({ name, ms }) => `  ${name.padEnd(44)} ${ms.toFixed(1)} ms\n`).join('')}`,
  )
}
