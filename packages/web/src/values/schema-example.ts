import type { Json } from '@millrace/dsl'

/** The first example of a schema, or its default; undefined without both. */
export function exampleOf(schema: unknown): Json | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A schema is JSON.
  const { examples, default: byDefault } = Object(schema) as { readonly examples?: Json; readonly default?: Json }
  return (Array.isArray(examples) ? examples[0] : undefined) ?? byDefault
}
