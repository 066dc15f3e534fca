// Prints how long the rules of EN 16931 take to judge documents, and fails when one of up to 100 lines needs more than 20 ms of processor time.
// [MILLRACE_CONFORMANCE=folder] npm run bench:einvoices [rounds]
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { calculate } from '#modules/einvoice/calculate.ts'
import type { InvoiceSource } from '#modules/einvoice/model.ts'
import { profiles } from '#modules/einvoice/profiles.ts'
import { en16931, judgeInvoice } from '#modules/einvoice/rules/en16931.ts'
import { buildUbl } from '#modules/einvoice/ubl/build-ubl.ts'
import { documentOf, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import { readUbl } from '#modules/einvoice/ubl/read-xml.ts'

const rounds = Number(process.argv[2] ?? 200)
const barMs = 20

const party = (name: string, vatId: string) => ({ name, vatId, address: { city: 'Berlin', country: 'DE' } })
const chain = {
  uuid: '0199a0c0-0000-4000-8000-000000000001',
  counter: 7,
  previousHash: 'aGFzaA==',
  issuedAt: new Date('2026-11-23T10:30:00Z'),
}

/** A generated invoice; 1,000 lines are the most that a request may have. */
function invoiceOf(lines: number): XmlElement {
  const vat = (index: number) => ({ category: 'S' as const, rate: index % 3 === 0 ? '7' : '19' })
  const source: InvoiceSource = {
    profile: 'en16931',
    kind: 'invoice',
    number: '2026-1',
    currency: 'EUR',
    issueDate: '2026-11-23',
    dueDate: '2026-12-31',
    seller: party('Mill AG', 'DE123456789'),
    buyer: party('Haddad GmbH', 'DE987654321'),
    payment: { means: '30', account: 'DE02120300000000202051' },
    allowances: [],
    charges: [],
    lines: Array.from({ length: lines }, (_, index) => ({
      name: `Item ${index}`,
      quantity: '3',
      unit: 'C62',
      unitPrice: `${index + 1}.25`,
      allowances: [],
      charges: [],
      vat: vat(index),
    })),
  }
  return buildUbl(calculate(source), chain, profiles.en16931)
}

async function examples(): Promise<readonly (readonly [string, XmlElement])[]> {
  const conformance = process.env['MILLRACE_CONFORMANCE']
  if (conformance === undefined) return []
  const folder = join(conformance, 'einvoice/ubl/examples')
  return Promise.all(readdirSync(folder).map(async (name) => [name, await readUbl(readFileSync(join(folder, name), 'utf8'))] as const))
}

const generated = [1, 10, 100, 1000].map((lines) => [`generated, ${lines} lines`, invoiceOf(lines)] as const)
const longest = 'generated, 1000 lines'
const official = await examples()
process.stdout.write(
  `${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}; ${en16931.length} rules, ${rounds} rounds\n` +
    `${official.length} official examples${official.length === 0 ? ': MILLRACE_CONFORMANCE names the folder that npm run conformance fetches' : ''}\n\n`,
)
const rows = [...generated, ...official].map(([name, document]) => {
  const times: number[] = []
  // A document of 1,000 lines takes as long as a hundred others.
  const count = name === longest ? Math.ceil(rounds / 20) : rounds
  for (let round = 0; round < 5; round++) judgeInvoice(documentOf(document))
  const before = process.cpuUsage()
  for (let round = 0; round < count; round++) {
    const startedAt = performance.now()
    judgeInvoice(documentOf(document))
    times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(before)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { name, processor: (user + system) / 1000 / count, median: at(0.5), high: at(0.99) }
})
for (const { name, processor, median, high } of rows.toSorted((a, b) => b.processor - a.processor).slice(0, 12))
  process.stdout.write(
    `${name.padEnd(28)} processor ${processor.toFixed(2)} ms; median ${median.toFixed(2)} ms, 99 % under ${high.toFixed(2)} ms\n`,
  )
// Processor time: other programs on the machine do not count.
if (rows.some(({ name, processor }) => processor > barMs && name !== longest)) process.exitCode = 1
