import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('..', import.meta.url).pathname

/** The first parts of the keys under which lists and inboxes keep what they have read; the second part is the search of the address. */
const names = globSync('pages/**/*.tsx', { cwd: source }).flatMap((file) =>
  Array.from(
    readFileSync(`${source}${file}`, 'utf8').matchAll(/<(?:ListPage|InboxPage)\b[^]*?\n\s+name=(?:"([^"]+)"|\{([^}]+)\})/g),
    ([, fixed, made]) => fixed ?? made,
  ),
)

test('each list keeps what it has read under a name of its own: under one name a list would show the entries of another', () => {
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
