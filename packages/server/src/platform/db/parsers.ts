import pg from 'pg'

const { builtins } = pg.types
type Parser = (text: string) => unknown

/**
 * Converts values of PostgreSQL to values of JavaScript: `timestamptz` → Date, `int8` → number (fails beyond 2^53), `jsonb` → parsed,
 * `json` → the text as it was stored, `numeric`, `date` and `interval` → text.
 *
 * `json` stays text because the engine passes payloads on without reading them; parsing and printing them was its largest cost.
 */
const parsers = new Map<number, Parser>([
  [builtins.INT8, parseInt8],
  [builtins.JSON, asText],
  [builtins.DATE, asText],
  [builtins.INTERVAL, asText],
])

/** The `types` option of a pg pool or client. */
export const typeParsers: pg.CustomTypesConfig = {
  // The declared type of getTypeParser has overloads per format that no function can be inferred against.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`int8 ${text} does not fit a JavaScript number`)
  return value
}

function asText(text: string): string {
  return text
}
