import { type EffectCall, type EffectFunction, itemsOf, type Json, membersOf, standardError, textOf } from '@millrace/engine'
import { sqlServerOf, type UseConnection } from '#modules/connections/index.ts'
import type { AdmitTexts, CodeConnector } from '#modules/connectors/code/code-connector.ts'
import { serviceError } from '#modules/connectors/code/failures.ts'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import { queryMysql } from '#platform/sql/query-mysql.ts'
import { queryPostgres } from '#platform/sql/query-postgres.ts'
import type { SqlQuery, SqlRunner } from '#platform/sql/sql-query.ts'
import { rowsDefault, secondsDefault, sqlInput, sqlOutput } from './sql-manifest.ts'

export interface SqlConnectorDeps {
  readonly use: UseConnection
  readonly address: GuardedAddress
  readonly admitTexts: AdmitTexts
}

const bytesMax = 4 * 1024 * 1024

/** `postgres.query` and `mysql.query`: one statement on the database of a connection. */
export function createSqlConnectors(deps: SqlConnectorDeps): readonly CodeConnector[] {
  const query = (summary: string, placeholder: string, perform: EffectFunction) => [
    { name: 'query', summary, input: sqlInput(placeholder), output: sqlOutput, perform },
  ]
  return [
    {
      name: 'postgres',
      title: 'PostgreSQL',
      version: '1.0.0',
      functions: query('Runs one statement on a PostgreSQL database.', '$1', queryFunction(deps, 'postgresql', queryPostgres)),
    },
    {
      name: 'mysql',
      title: 'MySQL',
      version: '1.0.0',
      functions: query('Runs one statement on a MySQL database.', 'a question mark', queryFunction(deps, 'mysql', queryMysql)),
    },
  ]
}

function queryFunction({ use, address, admitTexts }: SqlConnectorDeps, engine: 'postgresql' | 'mysql', run: SqlRunner): EffectFunction {
  return (call) =>
    use(call, ['database'], async ({ name, settings, secrets }, inner) => {
      if (settings.kind !== 'database' || settings.engine !== engine)
        throw standardError('configuration', `The connection "${name}" is not for ${engine}.`)
      const query = queryOf(inner)
      try {
        await admitTexts(inner, { host: settings.host, texts: [query.text, ...query.values.map(shown)] })
        const { rows, rowCount } = await run(await sqlServerOf(settings, secrets, address), query, inner.signal)
        return { rows, rowCount }
      } catch (error) {
        throw serviceError(error)
      }
    })
}

/** The arguments fit the schema of the manifest. */
function queryOf({ arguments: given }: Pick<EffectCall, 'arguments'>): SqlQuery {
  const { statement, parameters, rowsMax, timeoutSeconds } = membersOf(given)
  return {
    text: textOf(statement) ?? '',
    values: itemsOf(parameters),
    rowsMax: typeof rowsMax === 'number' ? rowsMax : rowsDefault,
    bytesMax,
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : secondsDefault) * 1_000,
  }
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
