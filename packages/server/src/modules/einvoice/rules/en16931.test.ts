import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { loadSchematron } from '#modules/einvoice/testing/schematron.ts'
import { documentOf, type XmlElement } from '#modules/einvoice/ubl/element.ts'
import { readUbl } from '#modules/einvoice/ubl/read-xml.ts'
import { judgeInvoice, en16931 } from './en16931.ts'

const provided = inject('conformance')
const folder = 'folder' in provided ? join(provided.folder, 'einvoice/ubl') : ''
const isThere = folder !== '' && existsSync(folder)
const schema = join(folder, 'schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch')
const schematron = isThere ? await loadSchematron(schema) : undefined
const isBusinessRule = (id: string) => id.startsWith('BR-')
const examples = isThere ? readdirSync(join(folder, 'examples')).filter((name) => /\.xml$/i.test(name)) : []
const ours = (root: XmlElement) =>
  judgeInvoice(documentOf(root))
    .map(({ rule }) => rule)
    .toSorted()

describe.skipIf(!isThere)('our rules agree with the official ones', () => {
  test('every official business rule is one of ours, and no other', () => {
    const own = new Set(en16931.map(({ id }) => id))
    const official = [...(schematron?.ids ?? [])].filter(isBusinessRule)
    expect([...own].toSorted()).toEqual(official.toSorted())
  })

  test.each(examples)('the example %s violates the same rules', async (name) => {
    const text = readFileSync(join(folder, 'examples', name), 'utf8')
    expect(ours(await readUbl(text))).toEqual(schematron?.judge(text, isBusinessRule))
  })
})
