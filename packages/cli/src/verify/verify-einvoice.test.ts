import { expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'
import { runHere } from '#testing/run-here.ts'

const namespaces =
  'xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
const invalid = `<Invoice ${namespaces}><cbc:ID>7</cbc:ID></Invoice>`

test('millrace verify einvoice names every violated rule with its place, and ends with 1', async () => {
  await using folder = await createFolder({ 'invoice.xml': invalid })
  const { exitCode, stdout, stderr } = await runCli(['verify', 'einvoice', folder.file('invoice.xml')])
  expect(stdout).toMatch(/invoice\.xml rule: BR-01: .* at \/ubl:Invoice/)
  expect([exitCode, stderr]).toEqual([1, '1 verified, 1 invalid.\n'])
  const json = await runHere(['verify', 'einvoice', '--json', folder.file('invoice.xml')])
  expect(JSON.parse(json.stdout)).toMatchObject({
    number: '7',
    signature: null,
    problems: expect.arrayContaining([expect.objectContaining({ kind: 'rule' })]),
  })
})

test('millrace verify einvoice says what is wrong with a file that is no e-invoice, and with its use', async () => {
  await using folder = await createFolder({ 'invoice.xml': '<!DOCTYPE a><a/>', 'invoice.pdf': '%PDF-1.7 nothing' })
  expect((await runHere(['verify', 'einvoice', folder.file('invoice.xml')])).stdout).toMatch(/structure: Contains a document type/)
  expect(await runHere(['verify', 'einvoice', folder.file('invoice.pdf')])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no readable PDF'),
  })
  expect(await runHere(['verify', 'einvoice'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Name the file') })
  expect(await runHere(['verify', '--qr', 'AQ==', '--all'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--qr is for') })
})
