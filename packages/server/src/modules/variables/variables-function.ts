import type { Json } from '@millrace/engine'
import { standardError } from '@millrace/engine/definition'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { environmentOf } from './model.ts'
import { resolveVariables } from './variable-store.ts'

/** What an execution asks for: variables that must exist, or all. */
interface Asked {
  readonly names: readonly string[]
  readonly all: boolean
}

/**
 * The function that reads the plain variables of an execution, once at its start. The variables of the workflow win over those of the account, and
 * those of its environment over those of all. A variable that is missing is a configuration error that names it.
 */
export function createVariablesFunction(db: Kysely<Rows>) {
  return async (call: {
    readonly accountId: string
    readonly workflowId?: string
    readonly trigger?: string
    readonly arguments: Json
  }): Promise<Json> => {
    const { names, all } = askedOf(call.arguments)
    const environment = environmentOf(call)
    const found = await resolveVariables(db, call.accountId, {
      names: all ? undefined : names,
      workflowId: call.workflowId,
      environment,
      secret: false,
    })
    const values = Object.fromEntries(found.map(({ name, json }) => [name, valueOf(json)] as const))
    const missing = names.filter((name) => !Object.hasOwn(values, name))
    if (missing.length > 0) {
      const listed = missing.slice(0, 10).join(', ')
      throw standardError(
        'configuration',
        missing.length === 1
          ? `The variable ${listed} does not exist in the environment ${environment}. Create it on the page Variables, or with "millrace variables ${listed}=VALUE".`
          : `These variables do not exist in the environment ${environment}: ${listed}. Create them on the page Variables, or with "millrace variables NAME=VALUE".`,
      )
    }
    return values
  }
}

function valueOf(json: string | undefined): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains JSON that this module wrote.
  return json === undefined ? null : (JSON.parse(json) as Json)
}

/** The arguments are those of the interpreter (`readVariables`). */
function askedOf(given: Json): Asked {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return given as unknown as Asked
}
