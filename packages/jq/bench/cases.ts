/** One thing to measure: a program, an input, and the same written by hand. */
export interface BenchCase {
  readonly name: string
  readonly program: string
  readonly input: unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- each case writes the type of its own input.
  readonly byHand: (input: any) => unknown
  /** At least so many times as fast as jq-wasm, and at most so many times the time of the handwritten function. */
  readonly overWasm: number
  readonly overHand: number
}

interface Person {
  readonly name: string
  readonly age: number
}

const people: readonly Person[] = Array.from({ length: 100 }, (_none, at) => ({ name: `person ${at}`, age: (at * 37) % 60 }))

interface Row {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly tags: readonly string[]
  readonly active: boolean
  readonly address: { readonly city: string; readonly zip: string }
}

/** About 100 KB of JSON. */
const rows: readonly Row[] = Array.from({ length: 640 }, (_none, at) => ({
  id: at,
  name: `customer number ${at}`,
  email: `customer.${at}@example.com`,
  tags: ['alpha', 'beta', at % 2 === 0 ? 'even' : 'odd'],
  active: at % 3 !== 0,
  address: { city: `city ${at % 17}`, zip: String(10_000 + at) },
}))

export const benchCases: readonly BenchCase[] = [
  {
    name: '.a.b + 1',
    program: '.a.b + 1',
    input: { a: { b: 41 } },
    byHand: (input: { a: { b: number } }) => input.a.b + 1,
    overWasm: 500,
    overHand: 4,
  },
  {
    name: 'object of three fields',
    program: '{id: .user.id, name: .user.name, total: (.price * .count)}',
    input: { user: { id: 7, name: 'Ada' }, price: 3, count: 4 },
    byHand: (input: { user: { id: number; name: string }; price: number; count: number }) => ({
      id: input.user.id,
      name: input.user.name,
      total: input.price * input.count,
    }),
    overWasm: 500,
    overHand: 4,
  },
  {
    name: 'map(select(.age > 30)), 100 items',
    program: 'map(select(.age > 30))',
    input: people,
    byHand: (input: readonly Person[]) => input.filter((person) => person.age > 30),
    overWasm: 500,
    overHand: 8,
  },
  {
    name: 'filter and project, 100 KB',
    program: '[.[] | select(.active and (.tags | index("even"))) | {id, name, city: .address.city}]',
    input: rows,
    byHand: (input: readonly Row[]) =>
      input.filter((row) => row.active && row.tags.includes('even')).map((row) => ({ id: row.id, name: row.name, city: row.address.city })),
    overWasm: 20,
    overHand: 15,
  },
]
