import { Fault } from '@millrace/contract'
import type { GitFile } from '#platform/git/git-checkout.ts'
import { fromTypeId } from '#platform/ids.ts'
import { putLink } from './git-store.ts'
import type { GitChange } from './model.ts'
import { planFile, sha256Of } from './plan-file.ts'
import type { GitDeps, Sync } from './sync.ts'

type Deps = Pick<GitDeps, 'database' | 'workflows'>

/** The file of each workflow, by the id of the workflow: of those that were linked and still exist, and of those that this pull has taken. */
export type FilesOfWorkflows = Map<string, string>

/** The files of the repository that a pull finds linked already. */
export function linkedFiles({ links }: Pick<Sync, 'links'>, files: readonly GitFile[]): FilesOfWorkflows {
  const there = new Set(files.map(({ path }) => path))
  // Two files may be linked to one workflow, since earlier releases did that: the first one keeps it.
  return new Map(links.toReversed().flatMap(({ path, workflowId }) => (there.has(path) ? [[workflowId, path] as const] : [])))
}

/** Makes of one file of the repository what the settings say: a draft, a version, or a conflict. */
export async function pullFile(deps: Deps, sync: Sync, { path, text }: GitFile, filesOf: FilesOfWorkflows): Promise<GitChange> {
  const change = await changeOf(deps, sync, { path, text }, filesOf)
  if (change.workflowId !== undefined && !filesOf.has(change.workflowId)) filesOf.set(change.workflowId, path)
  return change
}

async function changeOf(deps: Deps, sync: Sync, { path, text }: GitFile, filesOf: FilesOfWorkflows): Promise<GitChange> {
  const link = sync.links.find((one) => one.path === path)
  if (text === undefined)
    return { path, workflowId: link?.workflowId, outcome: 'skipped', detail: 'It is a symbolic link, a submodule, or larger than 1 MiB.' }
  try {
    if (link !== undefined && filesOf.get(link.workflowId) === path) {
      const change = await pullInto(deps, sync, { path, text, workflowId: link.workflowId, base: link.baseSha256 })
      if (change !== undefined) return change
    }
    return await createFrom(deps, sync, { path, text }, filesOf)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const outcome = error.code === 'revision_mismatch' ? 'conflict' : 'invalid'
    return { path, workflowId: link?.workflowId, outcome, detail: detailOf(error) }
  }
}

interface Pulled {
  readonly path: string
  readonly text: string
  readonly workflowId: string
  readonly base: string | undefined
}

/** Undefined if the workflow does not exist any more. */
async function pullInto(deps: Deps, sync: Sync, { path, text, workflowId, base }: Pulled): Promise<GitChange | undefined> {
  const { accountId, repository, options } = sync
  const found = await deps.workflows.get(accountId, workflowId, undefined, 'yaml').catch(absent)
  if (found === undefined) return undefined
  const { workflow, definition } = found
  const current = workflow.invalidDraft?.source ?? definition.source
  const plan = planFile({ repository: text, workflow: current, base, resolve: options.resolve[path] })
  const link = (tx: Parameters<typeof putLink>[0]) =>
    putLink(tx, accountId, repository.id, { path, workflowId, baseSha256: sha256Of(text) })
  if (plan === 'conflict')
    return { path, workflowId, outcome: 'conflict', detail: 'The file and the draft have both changed. Repeat with `resolve`.' }
  if (plan === 'give' || plan === 'removed')
    return { path, workflowId, outcome: 'unchanged', detail: 'The workflow has changed here. Push it.' }
  const isPublished = workflow.latest?.checksum === workflow.draft.checksum && workflow.invalidDraft === undefined
  if (plan === 'unchanged' && (repository.pull === 'draft' || isPublished)) {
    await deps.database.account(accountId, link)
    return { path, workflowId, outcome: 'unchanged' }
  }
  const author = { actor: options.actor, permit, ifMatch: [workflow.revision] }
  if (repository.pull === 'publish') {
    const change = { ...unchanged, definition: text, publish: true, note: noteOf(sync) }
    const prepared = await deps.workflows.prepareUpdate(accountId, workflowId, change)
    await deps.database.account(accountId, async (tx) => {
      await deps.workflows.update(tx, accountId, workflowId, change, prepared, author)
      await link(tx)
    })
    return { path, workflowId, outcome: 'published' }
  }
  const prepared = await deps.workflows.prepareDraft(accountId, workflowId, { text, syntax: syntaxOf(path) })
  const [wrong] = prepared.diagnostics
  if (prepared.read === undefined)
    return { path, workflowId, outcome: 'invalid', detail: wrong?.message ?? 'It is not a valid definition.' }
  await deps.database.account(accountId, async (tx) => {
    await deps.workflows.saveDraft(tx, accountId, workflowId, prepared, author)
    await link(tx)
  })
  return { path, workflowId, outcome: 'updated' }
}

async function createFrom(
  deps: Deps,
  sync: Sync,
  { path, text }: { readonly path: string; readonly text: string },
  filesOf: FilesOfWorkflows,
): Promise<GitChange> {
  const { accountId, repository, options } = sync
  const given = { definition: text, publish: repository.pull === 'publish', name: undefined, description: undefined, tags: undefined }
  const prepared = await deps.workflows.prepareCreate(accountId, given)
  try {
    const workflowId = await deps.database.account(accountId, async (tx) => {
      const { id } = await deps.workflows.create(tx, accountId, given, prepared, { actor: options.actor, permit })
      await putLink(tx, accountId, repository.id, { path, workflowId: id, baseSha256: sha256Of(text) })
      return id
    })
    return { path, workflowId, outcome: 'created' }
  } catch (error) {
    const taken = error instanceof Fault && error.code === 'workflow_name_taken' ? error.details.extensions?.['workflowId'] : undefined
    const workflowId = typeof taken === 'string' ? fromTypeId('wf', taken) : undefined
    if (workflowId === undefined) throw error
    const other = filesOf.get(workflowId)
    if (other !== undefined && other !== path) return sameName({ path, other }, prepared.read.definition.document)
    const change = await pullInto(deps, sync, { path, text, workflowId, base: undefined })
    if (change === undefined) throw error
    return change
  }
}

/** What two files with one document name are: no side of the second one can win. */
function sameName(
  { path, other }: { readonly path: string; readonly other: string },
  { namespace, name }: { readonly namespace: string; readonly name: string },
): GitChange {
  const detail = `${path} has the document name ${namespace}/${name}, which is that of the workflow of ${other}. Nothing was taken from it. Change document.name or document.namespace in one of the two files.`
  return { path, workflowId: undefined, outcome: 'invalid', detail }
}

/** Only administrators link repositories and choose that pulls publish: what the branch takes was decided in Git. */
const permit = 'repository' as const

const unchanged = { name: undefined, description: undefined, tags: undefined, enabled: undefined }

function noteOf({ checkout: { commit = '' }, repository: { branch } }: Sync): string {
  return `Commit ${commit.slice(0, 10)} of ${branch}.`
}

function syntaxOf(path: string): 'yaml' | 'json' {
  return path.endsWith('.json') ? 'json' : 'yaml'
}

function absent(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'not_found') return undefined
  throw error
}

function detailOf({ message, details }: Fault): string {
  const [first] = details.errors ?? []
  return first === undefined ? message : `${first.pointer}: ${first.detail}`
}
