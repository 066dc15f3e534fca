import { boundNames, type ColumnRange } from '@millrace/contract'
import { type RawBuilder, sql } from 'kysely'

const comparisons = { from: sql`>=`, to: sql`<=`, above: sql`>`, below: sql`<` } as const

/** The condition of a row whose value is of the kind of the bounds, which all have one, and within them. */
export function withinSql(range: ColumnRange): RawBuilder<boolean> {
  const given = boundNames.flatMap((name) => {
    const bound = range[name]
    return bound === undefined ? [] : [{ comparison: comparisons[name], bound }]
  })
  const [kind, value, type] =
    typeof given[0]?.bound === 'number'
      ? ([sql`'number'`, sql`(content ->> ${range.column})::float8`, sql`float8`] as const)
      : ([sql`'string'`, sql`(content ->> ${range.column}) collate "C"`, sql`text`] as const)
  const conditions = given.map(({ comparison, bound }) => sql`${value} ${comparison} ${bound}::${type}`)
  // Only a branch of `case` is sure not to be evaluated for a value of another kind.
  return sql`case json_typeof(content -> ${range.column}) when ${kind} then ${sql.join(conditions, sql` and `)} else false end`
}
