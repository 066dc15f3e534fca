import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../docs/security', import.meta.url))
const page = readFileSync(join(folder, 'abuses.md'), 'utf8')
const rows = page
  .matchAll(/^\| (?<abuse>.+) \| `(?<title>.+)` in \[.*\]\((?<file>.*)\) \|$/gm)
  .map(({ groups }) => groups ?? {})
  .toArray()

/** The titles of the tests of a file; `undefined` stands for each part that a table of cases fills in. */
function titlesOf(source: string): readonly RegExp[] {
  return source
    .matchAll(/\(\s*'(?<title>(?:[^'\\]|\\.)+)',/g)
    .map(({ groups }) => groups?.['title'] ?? '')
    .map((title) => new RegExp(`^${title.split(/%[sj]/).map(escaped).join('(.*)')}$`))
    .toArray()
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]{}\\]/g, String.raw`\$&`)
}

/** The value of a case, which `%s` prints as it is, and `%j` as JSON. */
function valueOf(printed: string): string {
  return printed.startsWith('"') ? String(JSON.parse(printed)) : printed
}

/** Whether a file has a test with a title. The cases of a table are literals of the file, or of the module that it takes the table from. */
function hasTest(path: string, title: string): boolean {
  if (!existsSync(path)) return false
  const source = readFileSync(path, 'utf8')
  const imported = source.matchAll(/from '#testing\/(?<file>sign-in\/[\w-]+\.ts)'/g).map(({ groups }) => groups?.['file'] ?? '')
  const tables = [source, ...imported.map((file) => readFileSync(join(folder, '../../packages/server/src/testing', file), 'utf8'))].join(
    '\n',
  )
  return titlesOf(source).some((pattern) => {
    const cases = pattern.exec(title)?.slice(1).map(valueOf)
    return cases?.every((each) => tables.includes(`'${each}'`) || tables.includes(`"${each}"`)) === true
  })
}

test('the table of abuses has every row in the form that is checked', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('|') && !/^\| abuse |^\|---/.test(line))
  expect(rows).toHaveLength(lines.length)
  expect(rows.length).toBeGreaterThan(50)
})

test('each test that the table of abuses names exists', () => {
  expect(rows.filter(({ file = '', title = '' }) => !hasTest(join(folder, file), title))).toEqual([])
})
