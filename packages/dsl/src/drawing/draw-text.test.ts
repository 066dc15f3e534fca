import { expect, test } from 'vitest'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { drawText } from './draw-text.ts'

function draw(tasks: string): string {
  const { definition, diagnostics } = validateDefinition(
    parseDefinition(`document: { dsl: '1.0.3', namespace: tests, name: drawn, version: 1.0.0 }\n${tasks}`),
  )
  if (definition === undefined) throw new Error(JSON.stringify(diagnostics))
  return drawText(definition)
}

test('a drawing shows every task, what it contains, and the transitions that are not to the next task', () => {
  const drawn = draw(`do:
  - choose:
      switch:
        - big: { when: .n > 5, then: finish }
        - small: { then: loop }
  - loop:
      for: { each: row, in: .rows }
      do:
        - careful:
            try:
              - ask: { call: http, with: { method: get, endpoint: https://example.com } }
            catch:
              do:
                - note: { set: { failed: true } }
  - both:
      fork:
        branches:
          - left: { set: { a: 1 } }
          - right: { run: { workflow: { namespace: tests, name: other, version: 1.0.0 } } }
  - finish: { set: { done: true }, then: end }
`)
  expect(drawn).toBe(`start
├─ choose  switch
│  big ─▶ finish
│  small ─▶ loop
├─ loop  for each row
│  └─ careful  try
│     try:
│     └─ ask  call http
│     catch do:
│     └─ note  set
├─ both  fork, all in parallel
│  ├─ left  set
│  └─ right  run tests/other
└─ finish  set
   then ─▶ end
end
`)
})

test('a drawing of a large definition is cut, and says so', () => {
  const tasks = Array.from({ length: 500 }, (_, index) => `  - t${index}${'x'.repeat(200)}: { set: { n: ${index} } }`).join('\n')
  const lines = draw(`do:\n${tasks}\n`).split('\n')
  expect(lines.slice(-3)).toEqual(['… 101 more lines', 'end', ''])
  expect(Math.max(...lines.map(({ length }) => length))).toBe(120)
})
