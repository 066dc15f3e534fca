import { dirname } from 'node:path'
import type { CompiledWorkflow } from '@millrace/engine'
import { Failure } from '#command/failure.ts'
import { type CheckedDefinition, isError } from './check-definition.ts'
import { type ChildReference, childReferences } from './child-references.ts'
import { compareVersions } from './compare-versions.ts'
import { definitionsIn } from './definitions-in.ts'
import { type LoadedDefinition, loadDefinition, workflowId } from './load-definition.ts'

/** A workflow with all the workflows that it runs, directly or through others. */
export interface WorkflowBundle {
  readonly root: LoadedDefinition
  readonly members: readonly LoadedDefinition[]
  /** The member that a reference names. */
  find(reference: Pick<ChildReference, 'namespace' | 'name' | 'version'>): LoadedDefinition | undefined
}

/**
 * Finds every workflow that `root` runs, among `others` and then in the folders of the files that refer to them.
 *
 * @throws Failure for the first one that is missing or wrong; nothing has run by then
 */
export async function collectBundle(
  root: LoadedDefinition,
  others: readonly LoadedDefinition[],
  load: Load = loadHere,
): Promise<WorkflowBundle> {
  const members = [root, ...others]
  const find: WorkflowBundle['find'] = (reference) => newestMatch(members, ({ workflow }) => workflow.document, reference)
  for (let index = 0; index < members.length; index++) {
    const member = members[index]
    if (member === undefined) break
    for (const reference of childReferences(member.workflow)) {
      if (find(reference) === undefined) members.push(await search(member, reference, load))
    }
  }
  return { root, members, find }
}

/** Compiles a definition without errors. */
export type Load = (checked: CheckedDefinition) => Promise<LoadedDefinition | undefined>

const loadHere: Load = async (checked) => loadDefinition(checked)

type Wanted = Pick<ChildReference, 'namespace' | 'name' | 'version'>
type Document = CompiledWorkflow['document']

function newestMatch<T>(all: readonly T[], documentOf: (one: T) => Document, { namespace, name, version }: Wanted): T | undefined {
  const named = all.filter((one) => documentOf(one).namespace === namespace && documentOf(one).name === name)
  if (version !== 'latest') return named.find((one) => documentOf(one).version === version)
  return named.toSorted((one, other) => compareVersions(documentOf(one).version, documentOf(other).version)).at(-1)
}

interface Candidate {
  readonly checked: CheckedDefinition
  readonly document: Document
}

async function search(parent: LoadedDefinition, reference: ChildReference, load: Load): Promise<LoadedDefinition> {
  const folder = dirname(parent.checked.file)
  const mentions = (await definitionsIn(folder, reference.name)).filter((candidate) => candidate.file !== parent.checked.file)
  const candidates = mentions.flatMap((checked) =>
    checked.definition === undefined ? [] : [{ checked, document: checked.definition.document }],
  )
  const found = newestMatch(candidates, ({ document }) => document, reference)
  const loaded = found === undefined ? undefined : await load(found.checked)
  if (loaded !== undefined) return loaded
  throw missing(parent, reference, folder, mentions, candidates)
}

function missing(
  parent: LoadedDefinition,
  { namespace, name, version, reference }: ChildReference,
  folder: string,
  mentions: readonly CheckedDefinition[],
  candidates: readonly Candidate[],
): Failure {
  const { line, column } = parent.checked.parsed.positions.nearest(reference).start
  const where = `${parent.checked.file}:${line}:${column}`
  const versions = candidates.filter(({ document }) => document.namespace === namespace && document.name === name)
  const broken = mentions.find(({ diagnostics }) => diagnostics.some(isError))
  const hint =
    versions.length > 0
      ? `There is ${versions.map(({ document, checked }) => `${workflowId(document)} in ${checked.file}`).join(', ')}.`
      : broken === undefined
        ? `Looked in ${folder}. Name its file with --with FILE.`
        : `${broken.file} names it but has errors: "millrace validate ${broken.file}" shows them.`
  return new Failure(`${where}: the workflow ${namespace}/${name}:${version} that this task runs was not found.`, { hint })
}
