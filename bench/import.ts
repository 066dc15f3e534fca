import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { validateDefinition } from '@millrace/dsl'
import { importWorkflow } from '@millrace/dsl/import'
import { catalog } from '@millrace/server/catalog'
import { connectorFunctions } from '@millrace/server/connector-functions'
import { createImportRunner } from './import-run.ts'

/**
 * Prints how much of a folder of exports is converted, valid and runs with its outside stood in, by type of node.
 * Run as `npm run import:measure -- FOLDER`.
 */
const [, , argument] = process.argv
if (argument === undefined) throw new Error('Name the folder of the exports: npm run import:measure -- FOLDER')
const folder = resolve(argument)
const lost = new Map<string, number>()
const errors = new Set<string>()
const ends = new Map<string, number>()
const problems: string[] = []
const functions = [...catalog, ...connectorFunctions()]
const runner = createImportRunner(functions)
let [files, valid, nodes, converted, adapted] = [0, 0, 0, 0, 0]
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const value: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const { definition, report } = importWorkflow(value)
  files++
  nodes += report.parts.total - report.parts.notes
  converted += report.parts.converted
  adapted += report.parts.adapted
  for (const one of report.findings)
    if (one.outcome === 'not_converted') count(lost, `${one.type} ${/\(.*?\)/.exec(one.reason)?.[0] ?? ''}`)
  const { diagnostics } = validateDefinition(JSON.stringify(definition), { functions })
  const wrong = diagnostics.filter(({ severity }) => severity === 'error')
  for (const { code, message } of wrong.slice(0, 3)) errors.add(`${code} ${message.slice(0, 160)} [${file.slice(0, 4)}]`)
  if (wrong.length > 0) continue
  valid++
  const given = { secrets: report.secrets.map(({ secret }) => secret), variables: report.variables }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is JSON.
  const { state, problem } = await runner.run(definition as Parameters<typeof runner.run>[0], given)
  count(ends, state)
  if (state !== 'completed' && state !== 'not-converted') problems.push(`${state} [${file.slice(0, 4)}] ${problem.slice(0, 240)}`)
}
await runner.close()
const runs = [...ends].map(([state, many]) => `${many} ${state}`).join(', ')
process.stdout.write(`${files} files, ${valid} valid, ${nodes} nodes, ${converted} converted, ${adapted} adapted\nruns: ${runs}\n`)
for (const [type, many] of [...lost].toSorted((a, b) => b[1] - a[1])) process.stdout.write(`${many} ${type}\n`)
for (const text of [...errors].slice(0, 40)) process.stdout.write(`${text}\n`)
for (const text of problems) process.stdout.write(`${text}\n`)

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}
