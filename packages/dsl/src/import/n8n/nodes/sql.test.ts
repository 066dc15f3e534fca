import { compile } from '@millrace/jq'
import { describe, expect, test } from 'vitest'
import { importWorkflow } from '#src/import/index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const item = { id: 7, name: "O'Brien", mail: 'a@b.example', 'odd"name': 1 }

/** What a node of a database sends for the item, and what the report says of it. */
function sent(parameters: object, type: 'postgres' | 'mySql' = 'postgres', more: object = {}) {
  const { definition, report } = importWorkflow(
    exportOf([node('Hook', 'webhook'), node('Query', type, parameters, { typeVersion: 2.4, ...more })], [['Hook', 0, 'Query']]),
  )
  expect(
    validateDefinition(JSON.stringify(definition)).diagnostics.filter(
      ({ severity, code }) => severity === 'error' && code !== 'unknown_function',
    ),
  ).toEqual([])
  const task = Object(Object.values(Object(definition).do.at(-1))[0])
  const given: Record<string, unknown> = Object(task.with)
  const resolved = Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const jq = /^\$\{ ([\s\S]*) \}$/.exec(String(value))?.[1]
      return [key, jq === undefined ? value : compile(jq).first(item)]
    }),
  )
  return { call: task.call, ...resolved, reasons: report.findings.filter(({ part }) => part === 'Query').map(({ reason }) => reason) }
}

describe('a statement of a person', () => {
  test.each<readonly [query: string, statement: string, parameters: unknown]>([
    ['SELECT 1', 'SELECT 1', undefined],
    ["=SELECT * FROM t WHERE name = '{{ $json.name }}'", 'SELECT * FROM t WHERE name = $1', ["O'Brien"]],
    ['=SELECT * FROM t WHERE id = {{ $json.id }}::int', 'SELECT * FROM t WHERE id = $1::int', [7]],
    [
      "=SELECT * FROM t WHERE a LIKE '%{{ $json.name }}%' AND b = 'it''s'",
      "SELECT * FROM t WHERE a LIKE $1 AND b = 'it''s'",
      ["%O'Brien%"],
    ],
    ["=-- don't\nSELECT '{{ $json.id }}', ''", "-- don't\nSELECT $1, ''", [7]],
  ])('%s is sent with its values as parameters', (query, statement, parameters) => {
    const { reasons: _reasons, ...call } = sent({ operation: 'executeQuery', query })
    expect(call).toEqual({ call: 'postgres.query', connection: 'postgres', statement, ...(parameters === undefined ? {} : { parameters }) })
  })

  test('takes the values of its placeholders from the list of the node, in every form that n8n has', () => {
    const query = 'SELECT * FROM t WHERE id = $1 AND name = $2'
    const values = (queryReplacement: string) => sent({ operation: 'executeQuery', query, options: { queryReplacement } })
    expect(values('={{ $json.id }}, {{ $json.name }}')).toMatchObject({ statement: query, parameters: [7, "O'Brien"] })
    expect(values('={{ [$json.id, $json.name] }}')).toMatchObject({ statement: query, parameters: [7, "O'Brien"] })
    expect(values('id,name')).toMatchObject({ statement: query, parameters: [7, "O'Brien"] })
  })

  test('has the placeholders of MySQL in their order', () => {
    const query = 'SELECT * FROM t WHERE a = $2 OR b = $1 OR c = $2'
    expect(
      sent({ operation: 'executeQuery', query, options: { queryReplacement: '={{ $json.id }}, {{ $json.name }}' } }, 'mySql'),
    ).toMatchObject({
      call: 'mysql.query',
      statement: 'SELECT * FROM t WHERE a = ? OR b = ? OR c = ?',
      parameters: ["O'Brien", 7, "O'Brien"],
    })
  })

  test('keeps an expression for the name of a table in its text, and the report warns of that', () => {
    const { statement, reasons } = Object(sent({ operation: 'executeQuery', query: '=SELECT * FROM {{ $json.name }}' }))
    expect(statement).toBe("SELECT * FROM O'Brien")
    expect(reasons).toContainEqual(expect.stringContaining('can change what the statement does'))
  })
})

describe('an operation on a table', () => {
  const table = { __rl: true, value: 'orders', mode: 'list' }

  test('select has its conditions, order and limit', () => {
    const where = {
      values: [
        { column: 'id', condition: '>', value: '={{ $json.id }}' },
        { column: 'gone', condition: 'IS NULL' },
      ],
    }
    const sort = { values: [{ column: 'id', direction: 'DESC' }] }
    const schema = { __rl: true, value: 'shop' }
    expect(sent({ operation: 'select', schema, table, where, sort, limit: 5, combineConditions: 'OR' })).toMatchObject({
      statement: 'select * from "shop"."orders" where "id" > $1 or "gone" is null order by "id" desc limit $2',
      parameters: [7, 5],
    })
    expect(sent({ operation: 'select', table, returnAll: true })).toMatchObject({ statement: 'select * from "orders"', rowsMax: 10_000 })
  })

  test('insert writes the columns that are chosen, those of a list, or the members of the item', () => {
    const columns = { mappingMode: 'defineBelow', value: { id: '={{ $json.id }}', state: 'new' } }
    const statement = 'insert into "orders" ("id", "state") values ($1, $2) returning *'
    expect(sent({ table, columns })).toMatchObject({ statement, parameters: [7, 'new'] })
    expect(sent({ table: 'orders', columns: 'id, name' })).toMatchObject({ parameters: [7, "O'Brien"] })
    expect(sent({ table, columns: { mappingMode: 'autoMapInputData' } })).toMatchObject({
      statement: 'insert into "orders" ("id", "name", "mail", "odd""name") values ($1, $2, $3, $4) returning *',
      parameters: [7, "O'Brien", 'a@b.example', 1],
    })
    expect(sent({ table, columns: { mappingMode: 'autoMapInputData' } }, 'mySql')).toMatchObject({
      statement: 'insert into `orders` (`id`, `name`, `mail`, `odd"name`) values (?, ?, ?, ?)',
    })
  })

  test('update and upsert find the row by the columns that match', () => {
    const columns = { mappingMode: 'defineBelow', matchingColumns: ['id'], value: { id: '={{ $json.id }}', name: '={{ $json.name }}' } }
    expect(sent({ operation: 'update', table, columns })).toMatchObject({
      statement: 'update "orders" set "name" = $1 where "id" = $2 returning *',
      parameters: ["O'Brien", 7],
    })
    expect(sent({ operation: 'upsert', table, columns })).toMatchObject({
      statement:
        'insert into "orders" ("id", "name") values ($1, $2) on conflict ("id") do update set "name" = excluded."name" returning *',
    })
    expect(sent({ operation: 'upsert', table, columns }, 'mySql')).toMatchObject({
      statement: 'insert into `orders` (`id`, `name`) values (?, ?) on duplicate key update `name` = values(`name`)',
      parameters: [7, "O'Brien"],
    })
  })

  test('delete deletes what its conditions name', () => {
    const where = { values: [{ column: 'id', condition: 'equal', value: '={{ $json.id }}' }] }
    expect(sent({ operation: 'deleteTable', deleteCommand: 'delete', table, where })).toMatchObject({
      statement: 'delete from "orders" where "id" = $1',
      parameters: [7],
    })
  })

  test('the connection is called as the credential, and the report says so', () => {
    const { connection, reasons } = Object(
      sent({ operation: 'select', table }, 'postgres', { credentials: { postgres: { id: '1', name: '2nd Shop DB' } } }),
    )
    expect(connection).toBe('nd-shop-db')
    expect(reasons).toContainEqual(expect.stringContaining('called "nd-shop-db"'))
  })
})
