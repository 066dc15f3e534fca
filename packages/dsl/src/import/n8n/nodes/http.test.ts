import { compile } from '@millrace/jq'
import { expect, test } from 'vitest'
import { importWorkflow } from '#src/import/index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

function requestTo(url: string) {
  const { definition, report } = importWorkflow(
    exportOf([node('Hook', 'webhook'), node('Call', 'httpRequest', { url }, { typeVersion: 4.2 })], [['Hook', 0, 'Call']]),
  )
  const { call } = Object(definition).do.at(-1)
  const { diagnostics } = validateDefinition(JSON.stringify(definition))
  return {
    endpoint: String(call.with.endpoint).replace(/^\$\{ | \}$/g, ''),
    warnings: diagnostics.map(({ code }) => code),
    reasons: report.findings.filter(({ part }) => part === 'Call').map(({ reason }) => reason),
  }
}

const item = {
  name: 'A & B/é',
  id: 7,
  base: 'https://c.example',
  path: 'a b/c',
  query: { q: 'x y' },
  queryString: 'a=1&b=2',
  next: 'https://n.example/?p=1&s=2',
}

test.each<readonly [url: string, address: string]>([
  ['=https://x.example/y?q={{ $json.name }}', 'https://x.example/y?q=A%20%26%20B%2F%C3%A9'],
  ['=https://x.example/y/{{ $json.name }}/z', 'https://x.example/y/A%20%26%20B%2F%C3%A9/z'],
  ['={{ "https://x.example/y?q=" + $json.name }}', 'https://x.example/y?q=A%20%26%20B%2F%C3%A9'],
  ['={{ `https://x.example/y?q=${$json.name}` }}', 'https://x.example/y?q=A%20%26%20B%2F%C3%A9'],
  ['={{ $json.base }}/y?q={{ $json.query.q }}', 'https://c.example/y?q=x%20y'],
  ['=https://x.example/y?q={{ encodeURIComponent($json.name) }}', 'https://x.example/y?q=A%20%26%20B%2F%C3%A9'],
  ['=https://x.example/{{ $json.path }}', 'https://x.example/a%20b/c'],
  ['=https://x.example/y?{{ $json.queryString }}', 'https://x.example/y?a=1&b=2'],
  ['={{ $json.next }}', 'https://n.example/?p=1&s=2'],
  ['=https://x.example/y?q={{ $json.missing }}', 'https://x.example/y?q='],
])('the address %s is %s, and no warning is raised', (url, address) => {
  const { endpoint, warnings } = requestTo(url)
  expect(compile(endpoint).first(item)).toBe(address)
  expect(warnings).not.toContain('unencoded_value')
})

test('the report names the values that are encoded, and nothing where none is', () => {
  expect(requestTo('=https://x.example/{{ $json.id }}?q={{ $json.name }}').reasons).toEqual([
    expect.stringMatching(/encoded here.*: id, name\. /),
  ])
  expect(requestTo('={{ $json.next }}').reasons).toEqual([])
  expect(requestTo('=https://x.example/?q={{ encodeURIComponent($json.name) }}').reasons).toEqual([])
})
