import type { Attack } from './attack.ts'

const mebibyte = 1024 * 1024
/** Just below the limit of a definition. */
const bytesMax = mebibyte - 200

function filled(unit: string, bytes: number, before = 'a: ', after = ''): string {
  return before + unit.repeat(Math.floor((bytes - before.length - after.length) / unit.length)) + after
}

const head = "document: { dsl: '1.0.3', namespace: attack, name: large, version: '1.0.0' }\n"
const tasks = (count: number, task: (n: number) => string) =>
  `${head}do:\n${Array.from({ length: count }, (_, n) => `  - t${n}: ${task(n)}\n`).join('')}`

/** Texts that cost more to parse, compose or validate than their size suggests. */
const documents: Readonly<Record<string, () => string>> = {
  'tags on one node': () => filled('!!str ', 780_000),
  'anchors on one node': () => filled('&a ', bytesMax),
  'tags and anchors in turn': () => filled('!!str &a ', bytesMax),
  'nested sequences in one line': () => filled('- ', bytesMax, ''),
  'open flow mappings': () => filled('{a: ', bytesMax, ''),
  'open flow sequences': () => filled('[', bytesMax),
  'explicit keys': () => filled('? ', bytesMax, ''),
  comments: () => filled('#\n', bytesMax, ''),
  'empty lines in a text': () => filled('\n', bytesMax, 'a: |\n', 'b'),
  'a text of many folded lines': () => filled('b\n  ', bytesMax, 'a: >\n  '),
  'a quoted text over many lines': () => filled('b\n ', bytesMax, 'a: "', '"'),
  'a key of 1 MiB': () => filled('k', bytesMax, '', ': 1'),
  'aliases of aliases': () =>
    `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 9 }, () => `*a${n}`).join(', ')}]\n`).join('')}`,
  'one anchor, 100,000 aliases': () => `a: &a { b: 1 }\nl: [${'*a, '.repeat(100_000)}]`,
  'the same key 100,000 times': () => filled('a: 1\n', bytesMax, ''),
  'keys of a mapping': () => Array.from({ length: 90_000 }, (_, n) => `k${n}: ${n}\n`).join(''),
  'many documents': () => filled('---\na\n', bytesMax, ''),
  '25,000 tasks': () => tasks(25_000, () => '{ set: { a: 1 } }'),
  '12,000 tasks with expressions': () => tasks(12_000, (n) => `{ set: { a: '\${ .a + ${n} }' } }`),
  '15,000 tasks that lead to the first': () => tasks(15_000, () => '{ set: { a: 1 }, then: t0 }'),
  '3,000 nested lists': () => `${head}do: ${'[{ a: { do: '.repeat(3_000)}[]${' } }]'.repeat(3_000)}`,
  'one expression of 800 KB': () => tasks(1, () => `{ set: { a: '\${ ${'1 + '.repeat(200_000)}1 }' } }`),
  'an expression of nested brackets': () => tasks(1, () => `{ set: { a: '\${ ${'('.repeat(200_000)}1${')'.repeat(200_000)} }' } }`),
  'an expression of nested definitions': () =>
    tasks(1, () => `{ set: { a: '\${ ${'def f: '.repeat(50_000)}1${'; f'.repeat(50_000)} }' } }`),
  'a pattern of 900 KB': () => tasks(1, () => `{ set: { a: '\${ test("${'(a|b)*'.repeat(150_000)}") }' } }`),
  'names that look alike': () => tasks(8_000, (n) => `{ call: fonction${n} }`),
  'a switch of 10,000 cases': () =>
    tasks(1, () => `{ switch: [${Array.from({ length: 10_000 }, (_, n) => `{ c${n}: { when: '.a == ${n}', then: end } }`).join(', ')}] }`),
}

/** A rejected document costs its validation each time. */
export const documentAttacks: readonly Attack[] = [
  ...Object.entries(documents).map(
    ([name, make]): Attack => ({
      name,
      family: 'documents',
      lanes: 4,
      open: (attacker) => {
        const body = make()
        return Promise.resolve(() => attacker.call({ method: 'POST', path: '/workflows', body, type: 'application/yaml' }))
      },
    }),
  ),
  {
    name: 'many definitions at once',
    family: 'documents',
    lanes: 40,
    open: (attacker) => {
      const document = tasks(2_000, (n) => `{ set: { a: '\${ .a + ${n} }' } }`)
      let made = 0
      const named = () => document.replace('name: large', `name: large-${made++}`)
      return Promise.resolve(() => attacker.call({ method: 'POST', path: '/workflows', body: named(), type: 'application/yaml' }))
    },
  },
  {
    name: 'a wide document as JSON',
    family: 'documents',
    lanes: 4,
    open: (attacker) => {
      const body = `{"definition":{"do":[${'{"a":{"set":{"b":1}}},'.repeat(40_000)}{}]}}`
      return Promise.resolve(() => attacker.call({ method: 'POST', path: '/workflows', body }))
    },
  },
  {
    name: 'imports with a wrong checksum',
    family: 'documents',
    lanes: 4,
    open: (attacker) => {
      const body = {
        export: { format: 'millrace/workflow', formatVersion: 1, document: tasks(10_000, () => '{ set: { a: 1 } }'), checksum: 'sha256:0' },
      }
      return Promise.resolve(() => attacker.call({ method: 'POST', path: '/workflows/import', body }))
    },
  },
  {
    name: 'exports and requirements of a large workflow',
    family: 'documents',
    open: async (attacker) => {
      const id = await attacker.define(tasks(2_000, (n) => `{ set: { a: '\${ .a + ${n} }' } }`))
      return (n) => attacker.call({ path: `/workflows/${id}/${n % 2 === 0 ? 'export' : 'execution-requirements'}` })
    },
  },
]
