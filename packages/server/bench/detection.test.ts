import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { expect, inject, test } from 'vitest'
import { detect } from '#modules/privacy/detect/detector.ts'

const conformance = inject('conformance')
const folder = 'folder' in conformance ? conformance.folder : ''

test.skipIf(folder === '')('a megabyte of text is searched for personal data in about a second of processor time', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The file is data of the corpus.
  const samples = JSON.parse(await readFile(join(folder, 'pii/generated_large.json'), 'utf8')) as readonly {
    readonly full_text: string
  }[]
  const all = samples.map(({ full_text: text }) => text).join('\n\n')
  const text = all.repeat(Math.ceil(2 ** 20 / all.length)).slice(0, 2 ** 20)
  detect(text.slice(0, 100_000))
  const spent = startProcessorTime()
  expect(detect(text).length).toBeGreaterThan(1_000)
  // Three times the goal.
  expect(spent()).toBeLessThan(3_000)
})
