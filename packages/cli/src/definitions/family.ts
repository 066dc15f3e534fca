import { dirname } from 'node:path'
import { Failure } from '#command/failure.ts'
import { type CheckedDefinition, isError } from './check-definition.ts'
import { type ChildReference, childReferences } from './child-references.ts'
import { compareVersions } from './compare-versions.ts'
import { definitionsIn } from './folder.ts'
import { type LoadedDefinition, loadDefinition } from './load-definition.ts'

/** A workflow with all those that it runs, and those that they run. */
export interface Family {
  readonly root: LoadedDefinition
  readonly members: readonly LoadedDefinition[]
  /** The one that a reference means. */
  find(reference: Pick<ChildReference, 'namespace' | 'name' | 'version'>): LoadedDefinition | undefined
}

/**
 * Finds every workflow that `root` runs, among `others` and then in the folders of the files that ask for them.
 * Throws a failure that names the first one that is missing or wrong, before anything has run.
 */
export async function findFamily(root: LoadedDefinition, others: readonly LoadedDefinition[]): Promise<Family> {
  const members = [root, ...others]
  const find: Family['find'] = (reference) => best(members, reference)
  for (let index = 0; index < members.length; index++) {
    const member = members[index]
    if (member === undefined) break
    for (const reference of childReferences(member.workflow)) {
      if (find(reference) === undefined) members.push(await search(member, reference))
    }
  }
  return { root, members, find }
}

function best(members: readonly LoadedDefinition[], { namespace, name, version }: Pick<ChildReference, 'namespace' | 'name' | 'version'>) {
  const named = members.filter(({ workflow: { document } }) => document.namespace === namespace && document.name === name)
  if (version !== 'latest') return named.find(({ workflow }) => workflow.document.version === version)
  return named.toSorted((one, other) => compareVersions(one.workflow.document.version, other.workflow.document.version)).at(-1)
}

async function search(asking: LoadedDefinition, reference: ChildReference): Promise<LoadedDefinition> {
  const folder = dirname(asking.checked.file)
  const candidates = (await definitionsIn(folder, reference.name)).filter((candidate) => candidate.file !== asking.checked.file)
  const loaded = candidates.flatMap((candidate) => loadDefinition(candidate) ?? [])
  const found = best(loaded, reference)
  if (found !== undefined) return found
  throw missing(asking, reference, folder, candidates, loaded)
}

function missing(
  asking: LoadedDefinition,
  { namespace, name, version, reference }: ChildReference,
  folder: string,
  candidates: readonly CheckedDefinition[],
  loaded: readonly LoadedDefinition[],
): Failure {
  const { line, column } = asking.checked.parsed.positions.nearest(reference).start
  const where = `${asking.checked.file}:${line}:${column}`
  const versions = loaded.filter(({ workflow: { document } }) => document.namespace === namespace && document.name === name)
  const broken = candidates.find(({ diagnostics }) => diagnostics.some(isError))
  const hint =
    versions.length > 0
      ? `There is ${versions.map(({ id, checked }) => `${id} in ${checked.file}`).join(', ')}.`
      : broken === undefined
        ? `Looked in ${folder}. Name its file with --with FILE.`
        : `${broken.file} mentions it but has errors: "millrace validate ${broken.file}" shows them.`
  return new Failure(`${where}: the workflow ${namespace}/${name}:${version} that this task runs was not found.`, { hint })
}
