import { describe, expect, test } from 'vitest'
import type { DefinitionFormat } from '#src/parse/parse-definition.ts'
import { type Edit, applyChanges, editText } from './index.ts'

const yaml = `# Orders.
document: { dsl: '1.0.3', namespace: shop, name: order, version: '1.0.0' }

do:
  # Reads it.
  - fetch:   # once
      call: http
      with: { method: get,   endpoint: "https://shop.example" }

  - route:
      switch:
        - big: { when: .total > 1000, then: ask }
        - other: { then: pay }

  # Asks.
  - ask:
      do:
        - one: { set: { a: '\${ $steps.fetch.body }' } }
        # between
        - two:
            set:
              text: |
                # no comment
                $steps.fetch
              b: \${ $steps["fetch"].id + $steps.one.a }
      then: pay
  - pay: { set: { c: 1 } } # last
# the end
`

function edited(text: string, edit: Edit, syntax: DefinitionFormat = 'yaml'): string {
  const result = editText(text, syntax, edit)
  if ('fault' in result) throw new Error(`${result.fault.code}: ${result.fault.message}`)
  return applyChanges(text, result.changes)
}

describe('an edit of a text', () => {
  test('inserts a task in the style of its list', () => {
    expect(
      edited(yaml, { kind: 'insert', list: '/do', at: 1, tasks: [{ fetch: { set: { x: 'yes' }, metadata: { note: 'a\nb' } } }] }),
    ).toBe(
      yaml.replace(
        '  - route:',
        `  - fetch2:
      set:
        x: 'yes'
      metadata:
        note: |-
          a
          b

  - route:`,
      ),
    )
  })

  test('moves a task with its comments into another block', () => {
    expect(edited(yaml, { kind: 'move', list: '/do', from: 0, count: 1, to: '/do/2/ask/do', at: 1 })).toBe(
      yaml
        .replace(
          '  # Reads it.\n  - fetch:   # once\n      call: http\n      with: { method: get,   endpoint: "https://shop.example" }\n\n',
          '',
        )
        .replace(
          '        # between\n',
          '        # Reads it.\n        - fetch:   # once\n            call: http\n            with: { method: get,   endpoint: "https://shop.example" }\n        # between\n',
        ),
    )
  })

  test('removes a task with its comments and one of the blank lines around it', () => {
    expect(edited(yaml, { kind: 'remove', list: '/do', from: 1, count: 1 })).toBe(
      yaml.replace('  - route:\n      switch:\n        - big: { when: .total > 1000, then: ask }\n        - other: { then: pay }\n\n', ''),
    )
  })

  test('removes the last task of a list and leaves an empty list', () => {
    expect(edited('do:\n  - a: { set: { x: 1 } }\n', { kind: 'remove', list: '/do', from: 0, count: 1 })).toBe('do: []\n')
    expect(edited('do: []\n', { kind: 'insert', list: '/do', at: 0, tasks: [{ a: { wait: 'PT1S' } }] })).toBe(
      'do:\n  - a:\n      wait: PT1S\n',
    )
  })

  test('renames a task with everything that refers to it, and nothing else', () => {
    expect(edited(yaml, { kind: 'rename', task: '/do/0/fetch', name: 'get-it' })).toBe(
      yaml
        .replace('- fetch:', '- get-it:')
        .replace("$steps.fetch.body }'", '$steps."get-it".body }\'')
        .replace('$steps["fetch"]', '$steps["get-it"]'),
    )
    expect(edited(yaml, { kind: 'rename', task: '/do/3/pay', name: 'settle' })).toBe(
      yaml.replace('then: pay }', 'then: settle }').replace('then: pay\n', 'then: settle\n').replace('- pay:', '- settle:'),
    )
  })

  test('a new name that ends text without quotes puts the expression that refers to it in quotes', () => {
    const text = 'do:\n  - a: { set: { b: 1 } }\n  - c:\n      set: { d: 2 }\n      if: ${ $steps.a.b > 0 } # why\n'
    expect(edited(text, { kind: 'rename', task: '/do/0/a', name: 'it: now' })).toBe(
      text.replace('- a:', "- 'it: now':").replace('${ $steps.a.b > 0 }', `'\${ $steps."it: now".b > 0 }'`),
    )
  })

  test('a reference to a task of the same name in an inner list is not renamed', () => {
    const text =
      'do:\n  - a: { set: { x: 1 } }\n  - b:\n      do:\n        - a: { set: { x: 2 } }\n        - c: { set: { y: "${ $steps.a.x }" } }\n'
    expect(edited(text, { kind: 'rename', task: '/do/0/a', name: 'z' })).toBe(text.replace('- a', '- z'))
  })

  test('sets one value and keeps quotes, comments and spaces', () => {
    expect(edited(yaml, { kind: 'set', pointer: '/do/0/fetch/with/endpoint', value: 'https://b.example' })).toBe(
      yaml.replace('"https://shop.example"', '"https://b.example"'),
    )
    expect(edited(yaml, { kind: 'set', pointer: '/do/0/fetch/if', value: '.x' })).toBe(
      yaml.replace('      call: http', '      if: .x\n      call: http'),
    )
    expect(edited(yaml, { kind: 'set', pointer: '/do/3/pay/metadata/note', value: 'seen' })).toBe(
      yaml.replace('{ set: { c: 1 } } # last', '{ set: { c: 1 }, metadata: { note: seen } } # last'),
    )
  })

  test('unsets a value with its line', () => {
    expect(edited(yaml, { kind: 'unset', pointer: '/do/2/ask/then' })).toBe(yaml.replace('      then: pay\n', ''))
    expect(edited(yaml, { kind: 'unset', pointer: '/do/0/fetch/call' })).toBe(yaml.replace('      call: http\n', ''))
  })

  test.each([
    [1, 'a:\n  # one\n  x: 1 # first\n  y:\n    - 2 # second', 'a:\n  y:\n    - 2 # second\n  # one\n  x: 1 # first'],
    [1, 'a: { x: 1, "y": [2] }\n', 'a: { "y": [2], x: 1 }\n'],
    [-1, 'a:\n  x: 1\n', 'a:\n  x: 1\n'],
  ] as const)('moves a member by %i with its comments: %j', (by, before, after) => {
    expect(edited(`b: 1\n${before}`, { kind: 'moveMember', pointer: '/a/x', by })).toBe(`b: 1\n${after}`)
  })

  test('renames a member in its place, with its comments, and refuses a name that is taken', () => {
    const pointer = '/do/2/ask/do/1/two/set/text'
    expect(edited(yaml, { kind: 'renameMember', pointer, name: 'a: b' })).toBe(yaml.replace('text: |', "'a: b': |"))
    expect(editText(yaml, 'yaml', { kind: 'renameMember', pointer, name: 'b' })).toMatchObject({ fault: { code: 'name_taken' } })
  })

  test('wraps tasks as they are written, and takes them out again', () => {
    const wrapped = edited(yaml, { kind: 'wrap', list: '/do', from: 2, count: 2, in: 'try', name: 'guard' })
    expect(wrapped).toContain('  - guard:\n      try:\n        # Asks.\n        - ask:\n            do:\n              - one:')
    expect(wrapped).toContain('        - pay: { set: { c: 1 } } # last\n      catch:\n        retry:\n')
    expect(wrapped).toContain('          limit:\n            attempt:\n              count: 3\n# the end\n')
    expect(edited(wrapped, { kind: 'unwrap', task: '/do/2/guard' })).toBe(yaml)
  })

  test('duplicates a task under a free name', () => {
    expect(edited(yaml, { kind: 'duplicate', list: '/do', from: 3, count: 1 })).toBe(
      yaml.replace('# last\n', '# last\n\n  - pay2: { set: { c: 1 } } # last\n'),
    )
  })

  test('disables a task, and enables it with the condition that it had', () => {
    const disabled = edited(yaml, { kind: 'disable', task: '/do/0/fetch' })
    expect(disabled).toContain('      if: ${ false }\n      call: http\n')
    expect(edited(disabled, { kind: 'enable', task: '/do/0/fetch' })).toBe(yaml)
  })

  test('extracts tasks to a function', () => {
    const made = edited(yaml, { kind: 'extract', list: '/do', from: 3, count: 1, name: 'paying' })
    expect(made).toContain('  - pay:\n      call: paying\n')
    expect(made).toContain('use:\n  functions:\n    paying:\n      do:\n        - pay: { set: { c: 1 } } # last\n')
    expect(editText(yaml, 'yaml', { kind: 'extract', list: '/do/2/ask/do', from: 1, count: 1, name: 'f' })).toMatchObject({
      fault: { code: 'outer_reference', message: expect.stringContaining('$steps.fetch, $steps.one') },
    })
  })

  test('of JSON keeps its indentation', () => {
    const json = '{\n\t"do": [\n\t\t{ "a": {"set": {"x": 1}} },\n\t\t{"b": {\n\t\t\t"wait": "PT1S"\n\t\t}}\n\t]\n}\n'
    expect(edited(json, { kind: 'move', list: '/do', from: 1, count: 1, to: '/do', at: 0 }, 'json')).toBe(
      '{\n\t"do": [\n\t\t{"b": {\n\t\t\t"wait": "PT1S"\n\t\t}},\n\t\t{ "a": {"set": {"x": 1}} }\n\t]\n}\n',
    )
    expect(edited(json, { kind: 'insert', list: '/do', at: 2, tasks: [{ c: { wait: 'PT2S' } }] }, 'json')).toBe(
      json.replace('\n\t\t}}\n', '\n\t\t}},\n\t\t{\n\t\t\t"c": {\n\t\t\t\t"wait": "PT2S"\n\t\t\t}\n\t\t}\n'),
    )
    expect(edited(json, { kind: 'remove', list: '/do', from: 1, count: 1 }, 'json')).toBe(
      '{\n\t"do": [\n\t\t{ "a": {"set": {"x": 1}} }\n\t]\n}\n',
    )
  })

  test('of a document with a byte order mark keeps it', () => {
    expect(edited(`\uFEFF${yaml}`, { kind: 'unset', pointer: '/do/2/ask/then' })).toBe(`\uFEFF${yaml.replace('      then: pay\n', '')}`)
  })
})

describe('an edit is refused with a reason', () => {
  test.each<readonly [string, string, Edit]>([
    ['unreadable', 'do: "x', { kind: 'unset', pointer: '/do' }],
    ['not_found', yaml, { kind: 'unset', pointer: '/do/9/x' }],
    ['not_found', yaml, { kind: 'remove', list: '/do', from: 3, count: 2 }],
    ['not_found', yaml, { kind: 'set', pointer: '/do/7', value: 1 }],
    ['name_taken', yaml, { kind: 'rename', task: '/do/0/fetch', name: 'pay' }],
    ['not_possible', yaml, { kind: 'move', list: '/do', from: 2, count: 1, to: '/do/2/ask/do', at: 0 }],
    ['not_possible', yaml, { kind: 'unwrap', task: '/do/0/fetch' }],
    ['unsafe', 'do:\n  - a: &a { set: { x: 1 } }\n  - b: *a\n', { kind: 'set', pointer: '/do/1/b/set/x', value: 2 }],
    ['unsafe', 'do:\n  - a: &a { set: { x: 1 } }\n  - b: *a\n', { kind: 'remove', list: '/do', from: 0, count: 1 }],
  ])('%s', (code, text, edit) => {
    expect(editText(text, 'yaml', edit)).toMatchObject({ fault: { code } })
  })
})
