import { type RawBuilder, sql } from 'kysely'

/**
 * The arguments of an approval for the functions of PostgreSQL on JSON, which refuse a value with the character NUL or a half of a character anywhere in it, as the
 * details of an approval may have.
 * Their escapes become the replacement character, unless the backslash is one of the text itself, which another one precedes.
 */
export function readableArguments(column: RawBuilder<unknown> = sql`arguments`): RawBuilder<unknown> {
  return sql`case when strpos(${column}::text, '\\u') = 0 then ${column}
    else regexp_replace(${column}::text, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\1\\\\ufffd', 'gi')::json end`
}
