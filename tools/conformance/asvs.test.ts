import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { missingConformance } from './locate.ts'

interface Requirement {
  readonly id: string
  readonly level: number
  readonly test?: { readonly file: string; readonly name: string }
  readonly decision?: string
  readonly notMet?: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const { requirements }: { readonly requirements: readonly Requirement[] } = JSON.parse(
  readFileSync(join(root, 'docs/security/asvs.json'), 'utf8'),
)

test('each requirement has a test, a design decision, or says why it is not met', () => {
  for (const { id, test: proof, decision, notMet } of requirements)
    expect(
      [proof, decision, notMet].filter((each) => each !== undefined && each !== ''),
      id,
    ).toHaveLength(1)
})

test('each named test exists', () => {
  const missing = requirements.filter(({ test: proof }) => {
    if (proof === undefined) return false
    const path = join(root, proof.file)
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(`'${proof.name}'`)
  })
  expect(missing).toEqual([])
})

const provided = inject('conformance')
test.skipIf('missing' in provided)(`every requirement of levels 1 and 2 in chapters 6 to 10 is answered. ${missingConformance}`, () => {
  if ('missing' in provided) return
  const file = join(provided.folder, 'asvs-5.0.0.json')
  const asvs: { readonly requirements: readonly { readonly chapter_id: string; readonly req_id: string; readonly L: string }[] } =
    JSON.parse(readFileSync(file, 'utf8'))
  const wanted = asvs.requirements.filter(({ chapter_id: chapter, L }) => /^V(?:6|7|8|9|10)$/.test(chapter) && Number(L) <= 2)
  expect(requirements.map(({ id, level }) => [id, level])).toEqual(wanted.map(({ req_id: id, L }) => [id, Number(L)]))
})
