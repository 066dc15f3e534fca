import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from './read-config.ts'
import { variables } from './variables.ts'

const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(?<name>[A-Z_]+)` \| *(?:`(?<value>[^`]*)`)?[^|]*\| .+ \|$/gm)].map(({ groups }) => ({
  name: groups?.['name'] ?? '',
  value: groups?.['value'],
}))

test('docs/configuration.md has every variable once, and no other', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(variables).toSorted())
})

test('the defaults of docs/configuration.md are those that an unset variable has', () => {
  const defaults = Object.fromEntries(rows.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  const system = { workingDirectory: '/srv', readTextFile: () => '' }
  expect(Object.keys(defaults).length).toBeGreaterThan(10)
  expect(readConfig(defaults, system)).toEqual(readConfig({}, system))
  const mail = { MILLRACE_SMTP_URL: 'smtp://h', MILLRACE_MAIL_FROM: 'a@b.example' }
  expect(readConfig({ ...defaults, ...mail }, system).mail).toEqual(readConfig(mail, system).mail)
})
