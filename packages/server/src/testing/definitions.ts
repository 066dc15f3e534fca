let names = 0

/** A document with a name that no other test has; `body` is what stands below the header. */
export function documentOf(body: string, name = `flow-${++names}`): string {
  return `document: { dsl: '1.0.3', namespace: tests, name: ${name}, version: 1.0.0 }\n${body}`
}

/** Answers with `{ "greeting": "Hello, <name>" }`. */
export const greets = `do:
  - greet: { set: { greeting: '\${ "Hello, " + .name }' } }
`

/** Takes a whole number under `count`, and gives it back with one more. */
export const counts = `input:
  schema:
    document:
      type: object
      required: [count]
      properties: { count: { type: integer, minimum: 0 } }
do:
  - add: { set: { count: '\${ .count + 1 }' } }
`

/** Fails with an error of its own. */
export const fails = `do:
  - refuse:
      raise:
        error: { type: 'https://example.com/errors/stock', status: 409, title: Out of stock, detail: None left }
`

/** Waits for longer than any test. */
export const waits = `do:
  - sleep: { wait: { hours: 1 } }
`

/** The document of `documentOf` with labels of runs, as YAML. */
export function labelled(document: string, labels: string): string {
  return document.replace('version: 1.0.0 }', `version: 1.0.0, metadata: { labels: ${labels} } }`)
}
