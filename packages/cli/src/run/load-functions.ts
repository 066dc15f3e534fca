import type { FetchResource } from '@millrace/engine'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import type { FunctionDeps, Functions } from './functions.ts'
import { createVariablesFunction } from './read-variables.ts'
import { callsOut } from './network.ts'

/** The functions of a run; the code is loaded only for workflows with calls. */
export async function loadFunctions(bundle: WorkflowBundle, deps: Omit<FunctionDeps, 'known'>): Promise<Functions> {
  const variables = createVariablesFunction(deps.variables)
  if (!callsOut(bundle)) return { functions: new Map([['variables', variables]]), close: () => Promise.resolve() }
  const { createFunctions } = await import('./functions.ts')
  const known = bundle.members.flatMap(({ checked }) => checked.known.functions)
  return createFunctions({ ...deps, known })
}

/** Fetches the external resources of definitions; the code is loaded by the first fetch. */
export function createLazyFetcher(deps: Pick<FunctionDeps, 'network' | 'now'>): FetchResource {
  let loaded: Promise<FetchResource> | undefined
  return async (request) => {
    loaded ??= import('./functions.ts').then(({ createFetcher }) => createFetcher(deps))
    return (await loaded)(request)
  }
}
