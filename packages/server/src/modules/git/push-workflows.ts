import { Fault } from '@millrace/contract'
import type { RequestedDefinition } from '#modules/workflows/index.ts'
import type { GitDeps, PushOptions, Sync, SyncReport } from './sync.ts'
import { commitPeople } from './commit-people.ts'
import { deleteLink, putLink } from './git-store.ts'
import type { GitChange, GitLink, GitRepository } from './model.ts'
import { planFile, sha256Of } from './plan-file.ts'

type Deps = Pick<GitDeps, 'database' | 'workflows' | 'now' | 'changersOf' | 'peopleOf'>

/** A workflow with the text that belongs into its file. */
interface Pushable {
  readonly path: string
  readonly workflowId: string
  readonly base: string | undefined
  readonly name: string
  readonly text: string
}

/** Pushes what has changed here alone as one commit, and reports the rest. */
export async function pushWorkflows(deps: Deps, sync: Sync, { workflowIds, message, resolve }: PushOptions): Promise<SyncReport> {
  const { accountId, repository, checkout, links, signal } = sync
  const changes: GitChange[] = []
  const files = new Map((await checkout.files(repository.folder)).map(({ path, text }) => [path, { text }]))
  const taken = new Set([...files.keys(), ...links.map(({ path }) => path)])
  const pushed: Pushable[] = []
  for (const wanted of wantedOf(links, workflowIds)) {
    signal.throwIfAborted()
    const one = await pushableOf(deps, sync, wanted, taken)
    if ('outcome' in one) {
      changes.push(one)
      continue
    }
    const file = files.get(one.path)
    const plan =
      file !== undefined && file.text === undefined
        ? 'blocked'
        : planFile({ repository: file?.text, workflow: one.text, base: one.base, resolve: resolve[one.path] })
    if (plan === 'give') pushed.push(one)
    else changes.push(reported(one, plan))
    if (plan === 'removed') await deps.database.account(accountId, (tx) => deleteLink(tx, accountId, repository.id, one.path))
    if (plan === 'unchanged') await link(deps, sync, [one])
  }
  if (pushed.length === 0) return { commit: checkout.commit, changes }
  const texts = new Map(pushed.map(({ path, text }) => [path, text]))
  const people = await commitPeople(
    deps,
    sync,
    pushed.map(({ workflowId }) => workflowId),
  )
  const commit = await checkout.push(texts, { message: message ?? messageOf(pushed), people, at: new Date(deps.now()) })
  await link(deps, sync, pushed)
  return { commit, changes: [...changes, ...pushed.map(({ path, workflowId }) => ({ path, workflowId, outcome: 'pushed' as const }))] }
}

function wantedOf(links: readonly GitLink[], workflowIds: readonly string[]) {
  const linked = new Set(links.map(({ workflowId }) => workflowId))
  const added = [...new Set(workflowIds)].filter((id) => !linked.has(id))
  return [
    ...links.map(({ path, workflowId, baseSha256: base }) => ({ path, workflowId, base })),
    ...added.map((workflowId) => ({ path: undefined, workflowId, base: undefined })),
  ]
}

async function pushableOf(
  { workflows }: Deps,
  { accountId, repository }: Sync,
  { path: given, workflowId, base }: { readonly path: string | undefined; readonly workflowId: string; readonly base: string | undefined },
  taken: Set<string>,
): Promise<Pushable | GitChange> {
  try {
    const found = await workflows.get(accountId, workflowId, undefined, 'yaml')
    const path = given ?? freePath(repository, found, taken)
    taken.add(path)
    const number = found.workflow.latest?.number
    if (repository.pull === 'draft') return { path, workflowId, base, name: found.workflow.name, text: found.definition.source }
    if (number === undefined) return { path, workflowId, outcome: 'skipped', detail: 'The workflow has no published version.' }
    const { definition } = await workflows.get(accountId, workflowId, number, 'yaml')
    return { path, workflowId, base, name: found.workflow.name, text: definition.source }
  } catch (error) {
    if (!(error instanceof Fault) || given === undefined) throw error
    return { path: given, workflowId, outcome: 'skipped', detail: error.message }
  }
}

/** A file of its own for a workflow: its name, and what makes it unique. */
function freePath({ folder }: GitRepository, { workflow, definition }: RequestedDefinition, taken: ReadonlySet<string>): string {
  const safe = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  const names = [safe(workflow.documentName), `${safe(workflow.namespace)}-${safe(workflow.documentName)}`, workflow.id]
  const start = folder === '' ? '' : `${folder}/`
  const paths = names.map((name) => `${start}${name}.${definition.syntax}`)
  return paths.find((path) => !taken.has(path)) ?? `${start}${workflow.id}.${definition.syntax}`
}

function reported({ path, workflowId }: Pushable, plan: 'unchanged' | 'take' | 'conflict' | 'removed' | 'blocked'): GitChange {
  switch (plan) {
    case 'unchanged':
      return { path, workflowId, outcome: 'unchanged' }
    case 'take':
      return { path, workflowId, outcome: 'unchanged', detail: 'The file has changed in the repository. Pull it.' }
    case 'conflict':
      return { path, workflowId, outcome: 'conflict', detail: 'The file and the workflow have both changed. Repeat with `resolve`.' }
    case 'removed':
      return { path, workflowId, outcome: 'removed', detail: 'The file is gone. The workflow stays and is not linked any more.' }
    case 'blocked':
      return { path, workflowId, outcome: 'skipped', detail: 'The file is a symbolic link, a submodule, or larger than 1 MiB.' }
  }
}

async function link({ database }: Pick<Deps, 'database'>, { accountId, repository }: Sync, files: readonly Pushable[]): Promise<void> {
  await database.account(accountId, async (tx) => {
    for (const { path, workflowId, text } of files)
      await putLink(tx, accountId, repository.id, { path, workflowId, baseSha256: sha256Of(text) })
  })
}

function messageOf(pushed: readonly Pushable[]): string {
  const [first] = pushed
  const title = pushed.length === 1 && first !== undefined ? `Update ${first.name}` : `Update ${pushed.length} workflows`
  const list = pushed.map(({ name, path }) => `- ${name} (${path})`).join('\n')
  return `${title.replaceAll(/\s+/g, ' ').slice(0, 72)}\n\n${list}`
}
