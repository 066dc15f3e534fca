import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { validateDefinition } from '@millrace/dsl'
import { importWorkflow } from '@millrace/dsl/import'
import { catalog } from '@millrace/server/catalog'

/** Prints how much of a folder of exports is converted, by type of node. Run as `npm run import:measure -- FOLDER`. */
const folder = resolve(process.argv[2] ?? '.')
const lost = new Map<string, number>()
const errors = new Map<string, number>()
let [files, valid, nodes, converted, adapted, idle] = [0, 0, 0, 0, 0, 0]
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const value: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const { definition, report } = importWorkflow(value)
  files++
  const { diagnostics } = validateDefinition(JSON.stringify(definition), { functions: catalog })
  const wrong = diagnostics.filter(({ severity }) => severity === 'error')
  if (wrong.length === 0) valid++
  for (const { code, message } of wrong.slice(0, 3)) errors.set(`${code} ${message.slice(0, 160)} [${file.slice(0, 4)}]`, 1)
  nodes += report.parts.total - report.parts.notes
  converted += report.parts.converted
  adapted += report.parts.adapted
  if (report.parts.total === report.parts.notes) idle++
  for (const one of report.findings)
    if (one.outcome === 'not_converted')
      lost.set(
        `${one.type} ${/\(.*?\)/.exec(one.reason)?.[0] ?? ''}`,
        (lost.get(`${one.type} ${/\(.*?\)/.exec(one.reason)?.[0] ?? ''}`) ?? 0) + 1,
      )
}
process.stdout.write(`${files} files, ${valid} valid, ${nodes} nodes, ${converted} converted, ${adapted} adapted, ${idle} empty\n`)
for (const [type, count] of [...lost].toSorted((a, b) => b[1] - a[1])) process.stdout.write(`${count} ${type}\n`)
for (const [text] of [...errors].slice(0, 40)) process.stdout.write(`${text}\n`)
