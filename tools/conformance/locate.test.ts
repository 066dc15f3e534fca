import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locateConformance, missingConformance } from './locate.ts'

let parent: string
let root: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'locate-'))
  root = join(parent, 'clone')
  mkdirSync(root)
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function putData(folder: string): string {
  for (const name of ['ows', 'jq']) mkdirSync(join(folder, name), { recursive: true })
  return folder
}

test('the data is where the variable says, else beside the repository, else where it was downloaded to', () => {
  expect(locateConformance(root, {})).toEqual({ missing: missingConformance })
  const fetched = putData(join(root, '.conformance'))
  expect(locateConformance(root, {})).toEqual({ folder: fetched })
  const beside = putData(join(parent, 'shared/conformance'))
  expect(locateConformance(root, {})).toEqual({ folder: beside })
  const named = putData(join(parent, 'elsewhere'))
  expect(locateConformance(root, { MILLRACE_CONFORMANCE: named })).toEqual({ folder: named })
  expect(locateConformance(root, { MILLRACE_CONFORMANCE: '../elsewhere' })).toEqual({ folder: named })
})

test('a variable that names no such folder is an error that names it, whatever lies beside', () => {
  putData(join(parent, 'shared/conformance'))
  expect(() => locateConformance(root, { MILLRACE_CONFORMANCE: '/nonexistent' })).toThrow(/MILLRACE_CONFORMANCE names \/nonexistent/)
})
