import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { einvoice } from '@millrace/contract'
import * as fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { calculate } from '#modules/einvoice/calculate.ts'
import { profiles } from '#modules/einvoice/profiles.ts'
import { invoiceSources } from '#modules/einvoice/testing/generate-sources.ts'
import { mutate, type Pick } from '#modules/einvoice/testing/mutate.ts'
import { loadSchematron } from '#modules/einvoice/testing/schematron.ts'
import { loadSchemas } from '#modules/einvoice/testing/xsd.ts'
import { buildUbl } from '#modules/einvoice/ubl/build-ubl.ts'
import { documentOf, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import { readUbl } from '#modules/einvoice/ubl/read-xml.ts'
import { writeXml } from '#modules/einvoice/ubl/write-xml.ts'
import { judgeInvoice } from './en16931.ts'

const provided = inject('conformance')
const folder = 'folder' in provided ? join(provided.folder, 'einvoice/ubl') : ''
const isThere = folder !== '' && existsSync(join(folder, 'xsd'))
const isDeep = inject('deep')
const timeout = isDeep ? 3_600_000 : 240_000
const isBusinessRule = (id: string) => id.startsWith('BR-')

const ours = (root: XmlElement) =>
  judgeInvoice(documentOf(root))
    .map(({ rule }) => rule)
    .toSorted()

/** The same numbers in every run (mulberry32). */
function picker(seed: number): Pick {
  let state = seed
  return (max) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max
  }
}

describe.skipIf(!isThere)('with the official rules and schemas (npm run conformance)', () => {
  const schematronFile = join(folder, 'schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch')

  test('every mutation of the examples violates the same rules at as many places', { timeout }, async () => {
    const schematron = await loadSchematron(schematronFile)
    const names = readdirSync(join(folder, 'examples')).toSorted()
    const examples = await Promise.all(names.map(async (name) => readUbl(readFileSync(join(folder, 'examples', name), 'utf8'))))
    // The shortest examples say as much, and are judged fast.
    const small = examples.filter((root) => writeXml(root).length < 9_000)
    const pick = picker(fc.readConfigureGlobal().seed ?? 20)
    const differences: string[] = []
    for (let count = 0; count < (isDeep ? 2_500 : 25); count++) {
      const from = isDeep ? examples : small
      const index = pick(from.length)
      let { what, root } = mutate(from[index] ?? fail(), pick)
      if (pick(3) === 0) {
        const second = mutate(root, pick)
        what = `${what}, ${second.what}`
        root = second.root
      }
      const [found, official] = [ours(root), schematron.judge(writeXml(root), isBusinessRule)]
      if (found.join(' ') !== official.join(' '))
        differences.push(`${what}: only ours ${without(found, official)}; only official ${without(official, found)}`)
    }
    expect(differences).toEqual([])
  })

  test('generated invoices of all kinds are valid by schemas and rules', { timeout }, async () => {
    const schematron = await loadSchematron(schematronFile)
    using schemas = loadSchemas(folder)
    const kinds = new Map<string, number>()
    const chain = {
      uuid: '0199a0c0-0000-4000-8000-000000000001',
      counter: 7,
      previousHash: 'aGFzaA==',
      issuedAt: new Date('2026-11-23T10:30:00Z'),
    }
    fc.assert(
      fc.property(invoiceSources, (body) => {
        const source = einvoice.generate.body?.parse(body) ?? fail()
        const root = buildUbl(calculate(source), chain, profiles.en16931)
        const xml = writeXml(root)
        expect({ ours: ours(root), official: schematron.judge(xml, isBusinessRule), schema: schemas.judge(xml) }).toEqual({
          ours: [],
          official: [],
          schema: [],
        })
        const kind = `${source.kind} ${source.lines[0]?.vat.category}`
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }),
      { numRuns: isDeep ? 1_000 : 15 },
    )
    expect(kinds.size).toBeGreaterThan(isDeep ? 14 : 8)
  })
})

function without(from: readonly string[], others: readonly string[]): string {
  const left = [...others]
  return from.filter((each) => (left.includes(each) ? (left.splice(left.indexOf(each), 1), false) : true)).join(' ')
}

function fail(): never {
  throw new Error('there is no such value')
}
