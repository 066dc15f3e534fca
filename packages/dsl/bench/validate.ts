import { parse } from 'yaml'
import { canonicalJson, canonicalYaml } from '#src/canonical/canonical.ts'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

/** What the design allows for validating a definition of this many tasks. */
const taskCount = 500
const limitMs = 20

/** Tasks as people write them, in groups: a call, a decision, data, a loop, something that is tried again. */
function group(index: number): string {
  return `
  - fetch${index}:
      call: http
      with:
        method: get
        endpoint: https://example.com/orders/{orderId}
        headers: { accept: application/json }
        query: { page: '\${ .page | tostring }' }
      output: { as: '{ order: ., page: $input.page }' }
      export: { as: '$context + { last${index}: .order.id }' }
  - decide${index}:
      switch:
        - large: { when: '.order.total > 1000 and (.order.items | length) > 3', then: set${index} }
        - other: { then: continue }
  - set${index}:
      if: .order != null
      set: { id: '\${ .order.id }', label: '\${ "order \\(.order.id) of \\(.order.customer.name)" }', step: '\${ $steps.fetch${index}.order.id }' }
  - each${index}:
      for: { each: item, in: .order.items, at: position }
      do:
        - add${index}: { set: { sum: '\${ (.sum // 0) + $item.price * $item.quantity }', at: '\${ $position }' } }
  - guard${index}:
      try:
        - send${index}: { call: http, with: { method: post, endpoint: https://example.com/bills, body: { id: '\${ .id }' } } }
      catch:
        errors: { with: { status: 503 } }
        as: problem
        retry: { delay: { seconds: 1 }, backoff: { exponential: {} }, limit: { attempt: { count: 3 } } }
        do:
          - note${index}: { set: { failed: '\${ $problem.title }' } }`
}

/** Runs often enough to be compiled, and gives the median in milliseconds. */
function median(run: () => unknown, rounds = 60): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  })
  return times.slice(rounds / 2).toSorted((a, b) => a - b)[rounds / 4] ?? 0
}

const perGroup = 8
const yaml = `document: { dsl: 1.0.3, namespace: bench, name: large, version: 1.0.0 }
do:${Array.from({ length: Math.ceil(taskCount / perGroup) }, (_, index) => group(index)).join('')}
`
const parsed = parseDefinition(yaml)
const json = canonicalJson(parsed.document ?? null)
const { diagnostics } = validateDefinition(parsed)
if (diagnostics.length > 0) throw new Error(`The document of the bench is not valid: ${JSON.stringify(diagnostics.slice(0, 3))}`)

const validate = median(() => validateDefinition(parsed))
const bare = { json: median(() => JSON.parse(json)), yaml: median(() => parse(yaml), 20) }
const ours = {
  json: median(() => parseDefinition(json)),
  yaml: median(() => parseDefinition(yaml), 20),
  canonical: median(() => canonicalYaml(parsed.document ?? null), 20),
}

function line(what: string, milliseconds: number, against: readonly (readonly [string, number])[]): string {
  const ratios = against.map(([name, other]) => `${(milliseconds / other).toFixed(2)} × ${name}`).join(', ')
  return `${what.padEnd(34)} ${milliseconds.toFixed(2).padStart(8)} ms${ratios === '' ? '' : `  = ${ratios}`}`
}

const report = [
  `${Math.ceil(taskCount / perGroup) * perGroup} tasks, ${Math.round(yaml.length / 1024)} KB of YAML`,
  line('JSON.parse', bare.json, []),
  line('yaml parse', bare.yaml, []),
  line('validateDefinition (parsed)', validate, [
    ['JSON.parse', bare.json],
    ['yaml parse', bare.yaml],
  ]),
  line('parseDefinition (JSON)', ours.json, [['JSON.parse', bare.json]]),
  line('parseDefinition (YAML)', ours.yaml, [['yaml parse', bare.yaml]]),
  line('canonicalYaml', ours.canonical, [['yaml parse', bare.yaml]]),
  validate < limitMs ? `validation is within ${limitMs} ms` : `validation is NOT within ${limitMs} ms`,
]
process.stdout.write(`${report.join('\n')}\n`)
