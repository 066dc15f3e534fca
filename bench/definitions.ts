const head = (name: string) => `document: { dsl: '1.0.3', namespace: bench, name: ${name}, version: '1.0.0' }`

/** Five `set` tasks, each of which reads the output of the previous one. */
export const fiveSets = `${head('five-sets')}
do:
  - one: { set: { a: '\${ .n + 1 }' } }
  - two: { set: { a: '\${ .a + 1 }', b: two } }
  - three: { set: { a: '\${ .a + 1 }', b: '\${ .b + "!" }' } }
  - four: { set: { a: '\${ .a + 1 }', b: '\${ .b }' } }
  - five: { set: { result: '\${ .a }', text: '\${ .b }' } }
`

/** Three sequential calls of a service on this machine. */
export function threeCalls(port: number): string {
  const call = (n: number) =>
    `  - effect${n}: { call: http, with: { method: post, endpoint: { uri: 'http://127.0.0.1:${port}/' }, body: { n: ${n} } } }`
  return `${head('three-effects')}\ndo:\n${[1, 2, 3].map(call).join('\n')}\n`
}
