import type { FunctionManifest } from '@millrace/engine'

/** What a model has to know of the language to write definitions that validate. */
const guide = `You write workflow definitions for Millrace in the Open Workflow Specification DSL 1.0.3, as YAML. Rules:

- A definition has "document" (dsl: '1.0.3', namespace, name: lowercase words with hyphens; version: '1.0.0'; optional title and summary), optional "input" ({ schema: { format: json, document: JSON Schema } }), optional "use" ({ secrets: [NAME] }) and "do".
- "do" is a list of tasks. Each entry is an object with exactly one key, the name of the task; names are unique in their list.
- The output of a task is the input of the next one. Inside expressions "." is the input of the task; in "output.as" and "export.as" it is the output. $workflow.input is the input of the workflow; $context is what "export.as" stored; $secrets.NAME needs NAME in use.secrets; $variables.NAME is a variable.
- Expressions are jq and must be the whole string: "\${ .total * 2 }". Text with values: "\${ "Hello \\(.name)" }". Never write \${ } inside other text. Quote strings that begin with \${.
- Task kinds: 
  set: { set: { key: value } }
  HTTP: { call: http, with: { method: get, endpoint: 'https://host/path/{id}', headers: {}, query: {}, body: {}, output: content } }; {id} is a property of the task's input.
  catalog function: { call: NAME, with: { ... } }; the functions are listed below.
  switch: { switch: [ { big: { when: .total > 100, then: taskName } }, { other: { then: continue } } ] }; "then" is continue, exit, end, or the name of a task in the same list. Every task may have "then".
  for: { for: { each: item, in: .items, at: index }, do: [ ... ] }; each iteration reads $item; the output is that of the last iteration unless tasks collect with export.
  fork: { fork: { compete: false, branches: [ { a: { ... } }, { b: { ... } } ] } }; the output is the list of outputs.
  try: { try: [ tasks ], catch: { errors: { with: { status: 503 } }, as: error, retry: { delay: { seconds: 5 }, backoff: { exponential: {} }, limit: { attempt: { count: 3 } } }, do: [ tasks ] } }
  raise: { raise: { error: { type: 'https://example.com/errors/x', status: 400, title: Text } } }
  wait: { wait: { seconds: 30 } }
  emit: { emit: { event: { with: { source: 'https://example.com', type: com.example.x, data: { } } } } }
  listen: { listen: { to: { one: { with: { type: com.example.x } } } } }
  sub-workflow: { run: { workflow: { namespace: x, name: y, version: latest, input: { } } } }
- Every task may have: if (condition without \${ }), input: { from: expression }, output: { as: expression }, export: { as: expression }, timeout: { after: { seconds: 30 } }.
- A schedule: schedule: { cron: '0 9 * * 1-5' } or { every: { minutes: 15 } } beside "do".

Never invent addresses, names of secrets, variables or workflows, or recipients. If something that is needed is missing and cannot be an input of the workflow, ask a question instead. Prefer inputs with a schema for values that change. Never put a key or password into a definition: use a secret.`

/** Patterns and lengths cost many tokens, and the validator checks them. */
function omitBounds(key: string, value: unknown): unknown {
  return typeof value === 'object' || !bounds.has(key) ? value : undefined
}

const bounds: ReadonlySet<string> = new Set(['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'])

/** The guide with the functions that this installation has. */
export function languageGuide(functions: readonly FunctionManifest[]): string {
  return `${guide}\n\nCatalog functions:\n${functionLines(functions)}`
}

/** What a model has to know of functions to call them. */
export function functionLines(functions: readonly Pick<FunctionManifest, 'name' | 'summary' | 'input'>[]): string {
  return functions
    .map(({ name, summary, input }) => `- call: ${name}: ${summary} Arguments (JSON Schema): ${JSON.stringify(input, omitBounds)}`)
    .join('\n')
}
